import { expect, test } from 'vitest';

import { sumByDay, roundUpForAxis, labelledDays } from './days.ts';

const midnight = new Date(2026, 2, 10).getTime();
const hour = 3_600_000;

test('CA-31 (chart) hourly totals are summed by day in the user’s time zone, including days without rounds', () => {
  const hours = [
    { at: midnight, won: 5000, lost: 1000 },
    { at: midnight + 23 * hour, won: 0, lost: 9000 },
    { at: midnight + 48 * hour, won: 700, lost: 0 },
  ];
  const period = { from: midnight, to: midnight + 30 * 24 * hour };
  const days = sumByDay(hours, period, midnight + 50 * hour);
  expect(days.map(({ won, lost, net }) => [won, lost, net])).toEqual([
    [5000, 10_000, -5000],
    [0, 0, 0],
    [700, 0, 700],
  ]);
  expect(days.map(({ start }) => new Date(start).getDate())).toEqual([10, 11, 12]);
});

test('hourly totals outside the period are not counted', () => {
  const hours = [{ at: midnight - hour, won: 1, lost: 0 }];
  expect(sumByDay(hours, { from: midnight, to: midnight + hour }, midnight + hour)).toEqual([
    { start: midnight, won: 0, lost: 0, net: 0 },
  ]);
});

test.each([
  [0, 1],
  [1, 1],
  [2_900_000, 3_000_000],
  [3_000_001, 5_000_000],
  [99, 100],
  [0.7, 0.8],
])('rounding %d up for the axis: %d', (amount, edge) => {
  expect(roundUpForAxis(amount)).toBeCloseTo(edge);
});

test('a week labels every day, longer periods a few days and always the last', () => {
  expect(labelledDays(7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelledDays(30)).toEqual([4, 9, 14, 19, 24, 29]);
  expect(labelledDays(92).at(-1)).toBe(91);
  expect(labelledDays(92).length).toBeLessThanOrEqual(7);
});
