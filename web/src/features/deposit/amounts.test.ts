import { expect, test } from 'vitest';

import { feeOf, minus, quickAmounts, tightestLimit } from './amounts.ts';

test.each([
  ['500000', 0, 0, 0, '0'],
  ['500001', 1000, 0.018, 0, '10000'],
  ['10.01', 0.5, 0.015, 2, '0.65'],
])('a fee is rounded down as on the server: %s', (amount, fee, feeRate, decimals, expected) => {
  expect(feeOf(amount, { fee, feeRate }, decimals)).toBe(expected);
});

test('subtracts exactly', () => expect(minus('10.00', '0.01', 2)).toBe('9.99'));

test('offers amounts within the limits of the method', () => {
  expect(quickAmounts({ currency: 'VND', min: 150_000, max: 1_000_000 })).toEqual([
    200_000, 500_000, 1_000_000,
  ]);
});

test('the deposit limit with the least left counts', () => {
  const limit = { period: 'day' } as const;
  const found = tightestLimit([
    { ...limit, kind: 'stake', amount: 1, used: 0 },
    { ...limit, kind: 'deposit', amount: 900, used: 100 },
    { ...limit, kind: 'deposit', period: 'week', amount: 1000, used: 400 },
    { ...limit, kind: 'deposit', period: 'month', amount: null, used: 400 },
  ]);
  expect(found).toMatchObject({ period: 'week', left: 600 });
});

test('what a limit leaves is exact', () => {
  const limit = { kind: 'deposit', period: 'day', amount: 100.1, used: 0.3 } as const;
  expect(tightestLimit([limit])?.left).toBe(99.8);
});
