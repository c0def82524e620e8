const pad = (n: number): string => String(n).padStart(2, '0');

/** Returns the days of a month, YYYY-MM, and the number of weekdays before the first. Weeks begin on Monday. */
export function monthDays(month: string): { blanks: number; days: string[] } {
  const first = new Date(`${month}-01T00:00:00Z`);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return {
    blanks: (first.getUTCDay() + 6) % 7,
    days: Array.from({ length: last.getUTCDate() }, (_, index) => `${month}-${pad(index + 1)}`),
  };
}

/** Returns the month that is some months later. */
export function shiftMonth(month: string, by: number): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  const moved = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + by, 1));
  return moved.toISOString().slice(0, 7);
}

/** Returns the short names of the weekdays, from Monday. */
export function weekdays(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, index) => format.format(Date.UTC(2024, 0, 1 + index)));
}
