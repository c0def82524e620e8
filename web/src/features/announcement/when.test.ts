import { expect, test } from 'vitest';

import { dayOf, whenOf } from './when.ts';

const day = new Date(2026, 0, 12, 9, 30).getTime();

test.each([
  ['vi', '12/01/2026', '12/01'],
  ['en', '12 Jan 2026', '12 Jan'],
  ['pt', '12/01/2026', '12/01'],
] as const)('a day in %s cannot be taken for another', (language, full, short) => {
  expect(dayOf(day, language)).toBe(full);
  expect(whenOf(day, language, new Date(2026, 10, 17).getTime())).toBe(short);
});
