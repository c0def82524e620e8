import { expect, test } from 'vitest';

import { presentationOf } from './celebrate.ts';

test.each([
  [0, 'none'],
  [1, 'returned'],
  [9999, 'returned'],
  [10_000, 'returned'],
  [10_001, 'win'],
])('PP-10 (client) a return of %d for a stake of 10000 is shown as %s', (win, kind) => {
  expect(presentationOf(10_000, win).kind).toBe(kind);
});

test('counting up takes longer for larger wins, at most two seconds', () => {
  const times = (factor: number) => presentationOf(100, 100 * factor);
  expect(times(2)).toMatchObject({ sound: 'winSmall', countMs: 600 });
  expect(times(9.99)).toMatchObject({ sound: 'winSmall', countMs: 600 });
  expect(times(10)).toMatchObject({ sound: 'winMedium', countMs: 1200 });
  expect(times(50)).toMatchObject({ sound: 'winLarge', countMs: 2000 });
  expect(times(5000)).toMatchObject({ sound: 'winLarge', countMs: 2000 });
});
