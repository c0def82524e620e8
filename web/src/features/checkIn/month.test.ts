import { expect, test } from 'vitest';

import { monthDays, shiftMonth } from './month.ts';

test('OS-10 part: the calendar begins on Monday and knows leap years', () => {
  expect(monthDays('2026-11')).toMatchObject({ blanks: 6 });
  expect(monthDays('2026-11').days).toHaveLength(30);
  expect(monthDays('2028-02').days.at(-1)).toBe('2028-02-29');
});

test('months go on over the end of the year', () => {
  expect(shiftMonth('2026-01', -1)).toBe('2025-12');
  expect(shiftMonth('2026-12', 1)).toBe('2027-01');
});
