import { expect, test } from 'vitest';

import cases from '../../../../internal/platform/validation/testdata/cases.json';
import served from '../../../../internal/platform/validation/testdata/rules.json';
import { Rules, trimSpaces, type RuleSet } from './rules.ts';

const rules = new Rules(served as RuleSet);

type Case = { rule: string; value: string; form?: Record<string, string>; codes: string[] };

test('VA-09 client part: the server’s test cases have the same results here', async () => {
  const wrong: unknown[] = [];
  for (const { rule, value, form, codes } of cases as Case[]) {
    const broken = rules.check(rule, value, form).map(({ code }) => code);
    if (broken.join() !== codes.join()) wrong.push({ rule, value, form, codes, broken });
  }
  expect(wrong).toEqual([]);
  const seen = new Set(cases.map(({ rule }) => rule));
  expect(Object.keys(served).filter((name) => !seen.has(name))).toEqual([]);
});

test('ER-06 validator part: invalid rules throw the specified messages', () => {
  expect(() => new Rules({})).toThrow('Cannot configure a schema with no rules');
  expect(() => new Rules({ username: [] })).toThrow('Cannot configure a schema with no rules');
  const phone = { type: 'phone', message: 'validation.type' };
  expect(() => new Rules({ username: [phone] } as unknown as RuleSet)).toThrow('Unknown rule type');
});

test.each(['(?i)abc', '\\A[a-z]+\\z', '\\pL', '\\@', '('])(
  'a pattern that browsers cannot read, %s, is left to the server, and the other rules apply',
  async (pattern) => {
    const own = new Rules({
      field: [
        { pattern, message: 'pattern' },
        { max: 3, pattern, message: 'both' },
        { required: true, message: 'required' },
      ],
    });
    expect(own.check('field', 'abc')).toEqual([]);
    expect(own.check('field', '')).toEqual([{ code: 'required', args: {} }]);
    expect(own.check('field', 'abcd')).toEqual([{ code: 'both', args: { max: 3 } }]);
  },
);

test('VA-12 feedback part: too short a text returns the bounds, N and M', async () => {
  const [broken] = rules.check('feedback', 'short');
  expect(broken).toEqual({ code: 'validation.range', args: { min: 10, max: 140 } });
});

test.each([
  [{ type: 'number', min: 18 }, '17', false],
  [{ type: 'number', min: 18 }, '18', true],
  [{ type: 'number', max: 18 }, '019', false],
  [{ type: 'number' }, '1e3', false],
  [{ type: 'number' }, '1234567890123456', false],
  [{ len: 3 }, '😀😀😀', true],
  [{ len: 3 }, '😀😀', false],
  [{ enum: ['a', 'b'] }, 'b', true],
  [{ enum: ['a', 'b'] }, 'c', false],
  [{ serverOnly: true }, 'anything', true],
] as const)('%j with %j: %s', async (rule, value, valid) => {
  const own = new Rules({ field: [{ ...rule, message: 'm' }] });
  expect(own.check('field', value)).toHaveLength(valid ? 0 : 1);
});

test('equal and differs compare with another field', async () => {
  const own = new Rules({
    again: [{ equal: 'first', message: 'equal' }],
    next: [{ differs: 'first', message: 'differs' }],
  });
  expect(own.check('again', 'a', { first: 'a' })).toEqual([]);
  expect(own.check('again', 'a', { first: 'b' })).toHaveLength(1);
  expect(own.check('again', 'a')).toHaveLength(1);
  expect(own.check('next', 'a', { first: 'a' })).toHaveLength(1);
});

test('rules check the normalized value, and normalized fields have no length limit', async () => {
  const phone = { field: [{ pattern: '^[0-9]+$', max: 4, message: 'm' }] };
  const own = new Rules(phone, { field: (typed) => typed.replaceAll(' ', '') });
  expect(own.check('field', '12 34')).toEqual([]);
  expect(own.check('field', '12 3x')).toHaveLength(1);
  expect(own.lengthLimit('field')).toEqual({});
  expect(new Rules(phone).lengthLimit('field')).toEqual({ maxLength: 4 });
});

test('trims only outer spaces', () => {
  expect(trimSpaces(' \t\u00A0a b\u3000\r\n')).toBe('a b');
  expect(trimSpaces('\u2003a')).toBe('\u2003a');
});
