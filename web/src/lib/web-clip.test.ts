// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { localStore } from './storage.ts';
import { isWebClip, noteWebClip } from './web-clip.ts';

beforeEach(() => {
  localStore.remove('WEBCLIP');
  vi.spyOn(history, 'length', 'get').mockReturnValue(1);
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'standalone');
  history.replaceState(null, '', '/m/home');
});

const opened = (address: string, standalone: boolean) => {
  history.replaceState(null, '', address);
  Object.defineProperty(navigator, 'standalone', { value: standalone, configurable: true });
  noteWebClip();
  return isWebClip();
};

test('EN-03 WEBCLIP part: the icon of the profile is remembered, also on the pages after the first', () => {
  expect(opened('/m/home?WEBCLIP=1', true)).toBe(true);
  expect(opened('/m/game', true)).toBe(true);
});

test.each([
  ['a link in a browser', '/m/home?WEBCLIP=1', false],
  ['an icon that the member made', '/m/home', true],
  ['an address that only looks alike', '/m/home?next=WEBCLIP', true],
])('EN-03 WEBCLIP part: %s does not count', (_, address, standalone) => {
  expect(opened(address, standalone)).toBe(false);
});

test('EN-03 WEBCLIP part: a link inside the installed app does not count', () => {
  vi.spyOn(history, 'length', 'get').mockReturnValue(2);
  expect(opened('/m/home?WEBCLIP=1', true)).toBe(false);
});
