// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { chooseTheme, followTheme, readTheme } from './theme.ts';

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

test('the merchant’s theme is the default of a new visitor', () => {
  const meta = Object.assign(document.createElement('meta'), { name: 'default-theme' });
  meta.content = 'light';
  document.head.append(meta);
  expect(readTheme()).toBe('light');
  localStorage.setItem('theme', 'blue');
  expect(readTheme()).toBe('light');
  localStorage.setItem('theme', 'dark');
  expect(readTheme()).toBe('dark');
  meta.remove();
});

test('LY-09, EN-03 theme part: the choice is stored and shown at once', () => {
  chooseTheme('light');
  expect(localStorage.getItem('theme')).toBe('light');
  expect(document.documentElement.dataset.theme).toBe('light');
  chooseTheme('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('a choice made in another tab is shown here too', () => {
  chooseTheme('dark');
  const stop = followTheme();
  localStorage.setItem('theme', 'light');
  dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
  stop();
  expect(document.documentElement.dataset.theme).toBe('light');
});
