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

const open = (url: string, standalone: boolean) => {
  history.replaceState(null, '', url);
  Object.defineProperty(navigator, 'standalone', { value: standalone, configurable: true });
  noteWebClip();
  return isWebClip();
};

test('EN-03 WEBCLIP part: the profile’s icon is remembered on later pages', () => {
  expect(open('/m/home?WEBCLIP=1', true)).toBe(true);
  expect(open('/m/game', true)).toBe(true);
});

test.each([
  ['a link in a browser', '/m/home?WEBCLIP=1', false],
  ['an icon that the member created', '/m/home', true],
  ['a similar URL', '/m/home?next=WEBCLIP', true],
])('EN-03 WEBCLIP part: %s does not count', (_, url, standalone) => {
  expect(open(url, standalone)).toBe(false);
});

test('EN-03 WEBCLIP part: a link inside the installed app does not count', () => {
  vi.spyOn(history, 'length', 'get').mockReturnValue(2);
  expect(open('/m/home?WEBCLIP=1', true)).toBe(false);
});
