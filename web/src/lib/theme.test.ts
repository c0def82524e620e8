import { beforeEach, expect, test } from 'vitest';

import { chooseTheme, readTheme } from './theme.ts';

beforeEach(() => localStorage.clear());

test('LY-09 dark unless light was chosen: missing and invalid values are dark', () => {
  expect(readTheme()).toBe('dark');
  for (const value of ['', 'LIGHT', 'blue', 'null']) {
    localStorage.setItem('theme', value);
    expect(readTheme()).toBe('dark');
  }
  localStorage.setItem('theme', 'light');
  expect(readTheme()).toBe('light');
});

test('LY-09 the choice is kept and shown at once', () => {
  chooseTheme('light');
  expect(localStorage.getItem('theme')).toBe('light');
  expect(document.documentElement.dataset.theme).toBe('light');
  chooseTheme('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
});
