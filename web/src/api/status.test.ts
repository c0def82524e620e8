import { expect, test } from 'vitest';

import { decodeStatus } from './status.ts';

test.each([
  [0, 'a', 'normal'],
  [1, 'a', 'ipBlock'],
  [2, 'a', 'maintenance'],
  [0, 'b', 'normal'],
  [1, 'b', 'maintenance'],
  [2, 'b', 'regionBlock'],
] as const)('EN-10 systemStatus part: %i in numbering %s is %s', (status, reading, state) => {
  expect(decodeStatus(status, reading)).toBe(state);
});

test('numbering a is the default', () => {
  expect(decodeStatus(1, undefined)).toBe('ipBlock');
  expect(decodeStatus(2, 'unheard of')).toBe('maintenance');
});

test('an unknown number is never shown as normal', () => {
  expect(decodeStatus(3, 'a')).toBe('maintenance');
  expect(decodeStatus(-1, 'b')).toBe('maintenance');
});
