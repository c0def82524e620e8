import { expect, test } from 'vitest';

import { parseExact } from './exact-json.ts';

const names = new Set(['balance']);

test('keeps a named number as it was written, beyond what a double holds', () => {
  const json = '{"balance":90071992547409931.25,"version":12,"list":[{"balance":0.10}]}';
  expect(parseExact(json, names)).toEqual({
    balance: '90071992547409931.25',
    version: 12,
    list: [{ balance: '0.10' }],
  });
});

test('leaves everything else alone', () => {
  expect(parseExact('{"balance":null,"other":1.5}', names)).toEqual({ balance: null, other: 1.5 });
});
