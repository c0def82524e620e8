// @vitest-environment jsdom
import { afterAll, expect, test } from 'vitest';

import { ApiError, describeError } from '../i18n/api-error.ts';
import { languages } from '../i18n/languages.ts';
import { chooseLanguage, loadScreenMessages } from '../i18n/runtime.ts';
import { Rules } from '../lib/validation/rules.ts';

afterAll(() => chooseLanguage('en'));

const rules = new Rules({
  required: [{ required: true, message: 'validation.required' }],
  enum: [{ enum: ['a', 'b'], message: 'validation.enum' }],
  length: [{ len: 7, message: 'validation.length' }],
  min: [{ min: 7, message: 'validation.min' }],
  max: [{ max: 7, message: 'validation.max' }],
  range: [{ min: 6, max: 7, message: 'validation.range' }],
  pattern: [{ pattern: '^[a-z]+$', message: 'validation.pattern' }],
  type: [{ type: 'number', message: 'validation.type' }],
});

const broken: [field: string, value: string, numbers: string[]][] = [
  ['required', '', []],
  ['enum', 'c', []],
  ['length', 'abc', ['7']],
  ['min', 'abc', ['7']],
  ['max', 'abcdefgh', ['7']],
  ['range', 'abc', ['6', '7']],
  ['pattern', 'A1', []],
  ['type', 'abc', []],
];

async function describeAll(): Promise<string[]> {
  await loadScreenMessages();
  return Promise.all(
    broken.map(async ([field, value]) => {
      const [found] = rules.check(field, value);
      return describeError(new ApiError(found!.code, 400, { args: found!.args }));
    }),
  );
}

test.each(languages)(
  'VA-07 client part: each generic rule has its own message in %s, with its numbers',
  async (language) => {
    await chooseLanguage('en');
    const english = await describeAll();
    await chooseLanguage(language);
    const messages = await describeAll();
    expect(new Set(messages).size).toBe(broken.length);
    for (const [at, [, , numbers]] of broken.entries()) {
      expect(messages[at]!.match(/\d+/g) ?? []).toEqual(numbers);
      expect(messages[at] === english[at]).toBe(language === 'en');
    }
  },
);
