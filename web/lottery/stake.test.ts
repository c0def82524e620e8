import { expect, test } from 'vitest';

import { isValidStake, typeStake } from './stake.ts';
import { plays } from './testing.ts';

const dong = plays.side;
const real = { ...dong, stake: { unit: 0.5, min: 0.5, max: 5000, maxLines: 1000 } };

const before = 3;

test.each([
  ['the comma of Brazil', real, 2, '2,50', 2.5],
  ['a point', real, 2, '2.50', 2.5],
  ['one decimal', real, 2, '2,5', 2.5],
  ['thousands and decimals', real, 2, '1.000,50', 1000.5],
  ['thousands without decimals', real, 2, '1.000', 1000],
  ['the thousands of Vietnam', dong, 0, '10.000', 10_000],
  ['the thousands of England', dong, 0, '10,000', 10_000],
  ['millions', dong, 0, '1.000.000', 1_000_000],
  ['no separators', dong, 0, '10000', 10_000],
  ['the maximum', dong, 0, '10.000.000', 10_000_000],
])('a stake typed with %s is valid', (_, play, decimals, typed, stake) => {
  const choice = typeStake(play, { stake: before, typed: '' }, typed, decimals);
  expect(choice).toEqual({ typed, stake });
  expect(isValidStake(play, choice, decimals)).toBe(true);
});

test.each([
  ['nothing', real, 2, ''],
  ['zero', real, 2, '0'],
  ['zero with decimals', real, 2, '0,00'],
  ['too many decimals', real, 2, '2,5000'],
  ['decimals of a currency without decimals', dong, 0, '10000,50'],
  ['less than the minimum', real, 2, '0,49'],
  ['more than the maximum', dong, 0, '10.000.001'],
  ['more digits than a number holds', dong, 0, '10000000000000000000001000'],
  ['a part of a unit', real, 2, '2,25'],
  ['letters', dong, 0, '10000 VND'],
  ['a sign', dong, 0, '-10000'],
  ['an exponent', dong, 0, '1e4'],
])('%s keeps the text and the last valid stake', (_, play, decimals, typed) => {
  const choice = typeStake(play, { stake: before, typed: '' }, typed, decimals);
  expect(choice).toEqual({ typed, stake: before });
  expect(isValidStake(play, choice, decimals)).toBe(false);
});
