import { expect, test } from 'vitest';

import { shortExact, shortNumber } from './short-number.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1999, '1.9K'],
  [20_000, '20K'],
  [999_999, '999.9K'],
  [1_150_000, '1.1M'],
  [-50_000, '-50K'],
  [3_700_000_600, '3.7B'],
  [0.25, '0.2'],
])('%s is %s in short', (value, text) => {
  expect(shortNumber(value, 'en')).toBe(text);
});

test.each(['vi', 'en', 'ur', 'pt'])('a thousand is 1K in %s, as on the chips', (language) => {
  expect(shortNumber(10_000, language)).toBe('10K');
});

test('the decimal separator depends on the language', () => {
  expect(['vi', 'pt', 'en'].map((language) => shortNumber(1500, language))).toEqual([
    '1,5K',
    '1,5K',
    '1.5K',
  ]);
});

test.each([
  [0, 'en', '0'],
  [500, 'vi', '500'],
  [0.5, 'en', '0.5'],
  [10_000, 'vi', '10K'],
  [1500, 'en', '1.5K'],
  [1500, 'vi', '1,5K'],
  [1_250_000, 'pt', '1,25M'],
  [2_000_000_000, 'ur', '2B'],
  // Truncated, it would show less than the stake.
  [1_234_567, 'en', '1,234,567'],
  [12_345, 'vi', '12.345'],
])('%s is exactly %s %s', (value, language, text) => {
  expect(shortExact(value, language)).toBe(text);
});
