import { expect, test } from 'vitest';

import { countryName } from './country.ts';

test.each([
  ['VN', 'en', 'Vietnam'],
  ['VN', 'vi', 'Việt Nam'],
  ['BR', 'pt', 'Brasil'],
  ['PK', 'ur', 'پاکستان'],
  ['XX', 'en', 'XX'],
  ['001', 'en', '001'],
  ['', 'en', ''],
])('the name of country %j in %s is %j', (code, language, name) => {
  expect(countryName(code, language)).toBe(name);
});
