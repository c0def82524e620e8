import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';

import { Decimal } from './decimal.ts';

test('KO-07 big numbers keep 20 decimal places and rounding mode 1', () => {
  const { DECIMAL_PLACES, ROUNDING_MODE } = Decimal.config();
  expect({ DECIMAL_PLACES, ROUNDING_MODE }).toEqual({ DECIMAL_PLACES: 20, ROUNDING_MODE: 1 });
  expect(new Decimal(2).div(3).toFixed()).toBe('0.66666666666666666666');
  expect(new Decimal(-2).div(3).toFixed()).toBe('-0.66666666666666666666');
  expect(new Decimal('1.999').toFixed(2)).toBe('1.99');
});

test('does not change the configuration of the library', () => {
  expect(new BigNumber('1.999').toFixed(2)).toBe('2.00');
});
