// Groups the server's hourly totals by day, in the user's time zone.
import type { BetPage } from '../../api/bets.ts';
import { startOfDay } from '../../lib/dates.ts';

export type Day = {
  /** Start of the day, in Unix milliseconds. */
  start: number;
  won: number;
  lost: number;
  net: number;
};

type HourlyTotal = BetPage['hours'][number];

/** Returns every day of the period up to today, including days without rounds. */
export function sumByDay(
  hours: readonly HourlyTotal[],
  { from, to }: { from: number; to: number },
  now: number,
): Day[] {
  const days = new Map<number, Day>();
  const end = Math.min(to, now);
  for (
    const day = new Date(startOfDay(from));
    day.getTime() <= end;
    day.setDate(day.getDate() + 1)
  ) {
    const start = day.getTime();
    days.set(start, { start, won: 0, lost: 0, net: 0 });
  }
  for (const { at, won, lost } of hours) {
    const day = days.get(startOfDay(at));
    if (!day) continue;
    day.won += won;
    day.lost += lost;
    day.net = day.won - day.lost;
  }
  return [...days.values()];
}

/** Rounds an amount up to a readable number for the end of the axis. */
export function roundUpForAxis(amount: number): number {
  if (!(amount > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(amount));
  const step = [1, 1.5, 2, 3, 5, 8, 10].find((each) => each * unit >= amount) ?? 10;
  return step * unit;
}

/** Returns the indexes of the days that get a label: every day up to a week, otherwise about six evenly spaced days, always with the last. */
export function labelledDays(count: number): number[] {
  const step = count <= 7 ? 1 : Math.ceil(count / 6);
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % step === 0);
}
