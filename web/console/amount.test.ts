import { expect, test } from 'vitest';

import { typedAmount } from './amount.ts';

test.each([
  ['90.000', 90_000],
  ['90,000', 90_000],
  ['1.234.567', 1_234_567],
  ['90', 90],
  ['12.5', 12.5],
  ['-4 000', -4000],
  ['ninety', 'ninety'],
  ['90.00.0', '90.00.0'],
  ['', ''],
])('an operator’s amount %j is read as %j', (typed, amount) => {
  expect(typedAmount(typed)).toBe(amount);
});
