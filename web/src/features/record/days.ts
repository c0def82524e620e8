// The reader's days, summed up from the hours that the server counts from the reader's own midnight.
import type { BetPage } from '../../api/bets.ts';
import { startOfDay } from '../../lib/dates.ts';

export type Day = {
  /** Its midnight. */
  at: number;
  won: number;
  lost: number;
  net: number;
};

type Hour = BetPage['hours'][number];

/** Every day of the period, also those without a round, up to today. */
export function daysOf(
  hours: readonly Hour[],
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
    const at = day.getTime();
    days.set(at, { at, won: 0, lost: 0, net: 0 });
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

/** The round number at the chart's edge: not below the amount, and easy to read. */
export function edgeOf(amount: number): number {
  if (!(amount > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(amount));
  const step = [1, 1.5, 2, 3, 5, 8, 10].find((each) => each * unit >= amount) ?? 10;
  return step * unit;
}

/** Which of so many days are named below the chart: all of a week, else a few, evenly apart, with the last among them. */
export function namedOf(count: number): number[] {
  const step = count <= 7 ? 1 : Math.ceil(count / 6);
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % step === 0);
}
