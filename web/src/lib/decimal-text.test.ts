import { expect, test } from 'vitest';

import { compareAmounts, fromMinorUnits, toMinor } from './decimal-text.ts';

test.each([
  ['0', 0, 0n],
  ['12.5', 2, 1250n],
  ['12.50', 2, 1250n],
  ['-0.01', 2, -1n],
  ['9223372036854775807', 0, 9_223_372_036_854_775_807n],
])('%s with %i decimals is %s minor units', (text, decimals, want) => {
  expect(toMinor(text, decimals)).toBe(want);
});

test.each([
  ['', 2],
  ['1.234', 2],
  ['1e3', 2],
  ['+1', 2],
  ['１２', 2],
  ['1,5', 2],
  ['.5', 2],
])('%s is refused', (text, decimals) => {
  expect(toMinor(text, decimals)).toBeNull();
});

test.each([
  [0n, 2, '0.00'],
  [5n, 2, '0.05'],
  [-1250n, 2, '-12.50'],
  [1250n, 0, '1250'],
])('%s minor units with %i decimals are written as %s', (units, decimals, want) => {
  expect(fromMinorUnits(units, decimals)).toBe(want);
});

test('amounts compare exactly, with any number of decimals', () => {
  expect(compareAmounts('0.1', '0.10')).toBe(0);
  expect(compareAmounts('9007199254740993', '9007199254740992')).toBe(1);
  expect(compareAmounts('-2', '1.5')).toBe(-1);
  expect(() => compareAmounts('x', '1')).toThrow('not an amount: x');
});
