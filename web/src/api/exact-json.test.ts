import { afterEach, expect, test, vi } from 'vitest';

import { parseExact } from './exact-json.ts';

const names = new Set(['balance']);

afterEach(() => void vi.restoreAllMocks());

test('keeps a named number as it was written, beyond what a double holds', () => {
  const json = '{"balance":90071992547409931.25,"version":12,"list":[{"balance":0.10}]}';
  expect(parseExact(json, names)).toEqual({
    balance: '90071992547409931.25',
    version: 12,
    list: [{ balance: '0.10' }],
  });
});

test('also in an engine whose reviver is not told how a number was written', () => {
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
    parse(text, reviver && ((name: string, value: unknown) => reviver(name, value))),
  );
  expect(parseExact('{"balance": -90071992547409931.50 }', names)).toEqual({
    balance: '-90071992547409931.50',
  });
});

test('leaves everything else alone', () => {
  const json = String.raw`{"balance":null,"other":1.5,"text":"\"balance\":7,","balance\n":8}`;
  expect(parseExact(json, names)).toEqual({
    balance: null,
    other: 1.5,
    text: '"balance":7,',
    'balance\n': 8,
  });
  expect(parseExact('{"balance":[1,2],"list":["balance",3]}', names)).toEqual({
    balance: [1, 2],
    list: ['balance', 3],
  });
});

test.each([
  '{"balance":1.2.3}',
  '{"balance":01}',
  '{"balance":1',
  '{"balance":-}',
  '{"balance":1e}',
])('what is no JSON stays none: %s', (json) => {
  expect(() => parseExact(json, names)).toThrow(SyntaxError);
});
