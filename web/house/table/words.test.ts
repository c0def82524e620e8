import { expect, test } from 'vitest';

import { rangeOf } from './words.ts';

test('what a table gives back is a range, and one number where all spots give the same', () => {
  expect(rangeOf(['94.74', '98.94', '85.64'])).toBe('85.64-98.94');
  expect(rangeOf(['97.29', '97.29'])).toBe('97.29');
});
