// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { isStandalone } from './standalone.ts';

afterEach(() => void Reflect.deleteProperty(navigator, 'standalone'));

test('a tab is not standalone', () => {
  expect(isStandalone()).toBe(false);
});

test('an installed app is detected by its display mode', () => {
  const installed = Object.assign(window.matchMedia(''), { matches: true });
  const matchMedia = vi.spyOn(window, 'matchMedia').mockReturnValue(installed);
  expect(isStandalone()).toBe(true);
  expect(matchMedia).toHaveBeenCalledWith('(display-mode: standalone)');
});

test('an app on the iOS home screen is detected by navigator.standalone', () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  expect(isStandalone()).toBe(true);
});
