// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';

import { isStandalone } from './standalone.ts';

afterEach(() => void Reflect.deleteProperty(navigator, 'standalone'));

test('a tab is not standalone', () => {
  expect(isStandalone()).toBe(false);
});

test('an installed app tells it by its display mode', () => {
  const installed = Object.assign(window.matchMedia(''), { matches: true });
  const ask = vi.spyOn(window, 'matchMedia').mockReturnValue(installed);
  expect(isStandalone()).toBe(true);
  expect(ask).toHaveBeenCalledWith('(display-mode: standalone)');
});

test('an app on the home screen of iOS tells it by a property of the navigator', () => {
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  expect(isStandalone()).toBe(true);
});
