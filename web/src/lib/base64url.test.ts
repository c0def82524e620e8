import { expect, test } from 'vitest';

import { fromBase64Url, toBase64Url } from './base64url.ts';

test.each([
  [[], ''],
  [[0], 'AA'],
  [[255, 255], '__8'],
  [[251, 239, 190], '----'],
])('%j is encoded as %s and decoded again', (bytes, text) => {
  expect(toBase64Url(new Uint8Array(bytes))).toBe(text);
  expect([...fromBase64Url(text)]).toEqual(bytes);
});

test('rejects invalid text', () => {
  expect(() => fromBase64Url('a b*')).toThrow(/invalid character/i);
});
