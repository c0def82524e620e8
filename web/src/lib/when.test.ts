import { expect, test } from 'vitest';

import { formatTime } from './when.ts';

test.each(['vi', 'en', 'ur', 'pt'])('a time in %s has Western digits and 24 hours', (language) => {
  const text = formatTime(new Date(2026, 10, 15, 20, 5).getTime(), language);
  expect(text).toMatch(/15/);
  expect(text).toMatch(/2026/);
  expect(text).toMatch(/20:05/);
  expect(text).not.toMatch(/[۰-۹٠-٩]/);
});

test('English names the month after the day', () => {
  expect(formatTime(new Date(2026, 10, 5, 20, 5).getTime(), 'en')).toBe('5 Nov 2026, 20:05');
});
