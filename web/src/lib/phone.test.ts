import { expect, test } from 'vitest';

import { nationalNumber, subscriberNumber } from './phone.ts';

test.each([
  ['0912345678', '0912345678', '912345678'],
  [' 091 234-56.78 ', '0912345678', '912345678'],
  ['+84 912 345 678', '912345678', '912345678'],
  ['+84 (0)912 345 678', '0912345678', '912345678'],
  ['0084912345678', '912345678', '912345678'],
  ['\u202A+84 91\u2011234\u00A05678\u202C', '912345678', '912345678'],
  ['+855 12 345 678', '+85512345678', '+85512345678'],
  ['84912345678', '84912345678', '84912345678'],
  ['12ab', '12ab', '12ab'],
  ['', '', ''],
])('%j is the national number %j and the subscriber number %j', (typed, national, subscriber) => {
  expect(nationalNumber(typed, '84')).toBe(national);
  expect(subscriberNumber(typed, '84')).toBe(subscriber);
});

test('without a country no dialling code is removed', () => {
  expect(nationalNumber('+ 84', '')).toBe('+84');
});
