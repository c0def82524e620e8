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
])('the country %j is called in %s: %j', (code, language, name) => {
  expect(countryName(code, language)).toBe(name);
});
