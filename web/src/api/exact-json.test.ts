import { afterEach, expect, test, vi } from 'vitest';

import { parseExact } from './exact-json.ts';

const names = new Set(['balance']);

afterEach(() => void vi.restoreAllMocks());

test('keeps the text of a named number beyond the precision of a double', () => {
  const json = '{"balance":90071992547409931.25,"version":12,"list":[{"balance":0.10}]}';
  expect(parseExact(json, names)).toEqual({
    balance: '90071992547409931.25',
    version: 12,
    list: [{ balance: '0.10' }],
  });
});

test('works in a browser whose reviver does not get the source text', () => {
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
    parse(text, reviver && ((name: string, value: unknown) => reviver(name, value))),
  );
  expect(parseExact('{"balance": -90071992547409931.50 }', names)).toEqual({
    balance: '-90071992547409931.50',
  });
});

test('leaves everything else unchanged', () => {
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
])('rejects invalid JSON: %s', (json) => {
  expect(() => parseExact(json, names)).toThrow(SyntaxError);
});
