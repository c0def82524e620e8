import { expect, test } from 'vitest';

import { countdownText, phaseOf } from './clock.ts';
import { chaseFactor, costOf, oddsRange, oneIn, payoutOf, percentOf } from './price.ts';
import { plays } from './testing.ts';

test('a bet costs lines × stake × multiple, for lô once for each prize', () => {
  expect(costOf([{ lines: 7, stake: 1000, multiple: 2, prizes: 27 }], 0)).toBe(378_000);
  expect(costOf([{ lines: 3, stake: 0.1, multiple: 1, prizes: 1 }], 2)).toBe(30);
});

test('a chase costs the sum of its numeros', () => {
  expect(chaseFactor({ count: 1, multiplier: 1 })).toBe(1);
  expect(chaseFactor({ count: 4, multiplier: 2 })).toBe(15);
});

test('a payout is rounded down to the smallest unit', () => {
  expect(payoutOf(1000, 1, '1.995', 0)).toBe(1995);
  expect(payoutOf(1, 1, '1.995', 0)).toBe(1);
  expect(payoutOf(0.01, 3, '1.995', 2)).toBe(5);
});

test('odds, chance and return equal those of the server', () => {
  expect(oddsRange(plays.side, 'big')).toEqual({ low: '1.995', high: '1.995' });
  expect(oddsRange(plays.sum, '')).toEqual({ low: '69.840', high: '209.520' });
  expect(oddsRange(plays.sum, 'sum-4')).toEqual({ low: '69.840', high: '69.840' });
  expect(oneIn('35/72')).toBe(2.057);
  expect(oneIn('17/151499090')).toBe(8_911_711.176);
  expect(percentOf('0.9699')).toBe('96.99');
});

test.each([
  [0, '00:00'],
  [-5000, '00:00'],
  [900, '00:01'],
  [36_000, '00:36'],
  [6_128_000, '01:42:08'],
  [106_335_000, '29:32:15'],
])('a countdown of %i ms shows %s', (ms, text) => {
  expect(countdownText(ms)).toBe(text);
});

test('PP-14 in part: a numero is open until it closes', () => {
  const numero = { openTime: 1000, closeTime: 2000, drawTime: 3000 };
  const phases = [999, 1000, 1999, 2000, 2999, 3000].map((now) => phaseOf(numero, now));
  expect(phases).toEqual(['early', 'open', 'open', 'closed', 'closed', 'drawing']);
});
