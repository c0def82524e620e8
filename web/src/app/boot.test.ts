// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import page from '../../index.html?raw';
import { hotGamesQuery } from '../api/catalogue.ts';
import { requestHeaders, setMerchant } from '../api/client.ts';
import { announcementsQuery } from '../api/content.ts';
import { servicesQuery, settingsQuery, statusQuery, switchesQuery } from '../api/system.ts';
import { directionOf, languages } from '../i18n/languages.ts';
import { chooseLanguage } from '../i18n/runtime.ts';
import { bannerSet } from '../lib/banner-art.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { settings } from '../lib/testing/fixtures.ts';
import { insertFirstLoad } from './first-load.ts';
import { findRoute, homeRoute, routes } from './routes.ts';

declare global {
  interface Window {
    firstPicture?: HTMLImageElement;
  }
}

const script = /<script>([\s\S]*?)<\/script>/.exec(insertFirstLoad(page))?.[1] ?? '';
const root = document.documentElement;

const banner = '/m/art/banners/first.webp';

/** Runs the inline script at a URL, with stored values and the meta elements of the server. */
function boot(
  path: string,
  stored: Record<string, string> = {},
  pictures = {},
  settled?: object,
  defaults = {},
) {
  const written = {
    'default-language': 'vi',
    'default-theme': 'dark',
    'first-pictures': JSON.stringify(pictures),
    ...defaults,
  };
  const metas = Object.entries(written).map(([name, content]) =>
    Object.assign(document.createElement('meta'), { name, content }),
  );
  document.head.replaceChildren(...metas);
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  history.replaceState(null, '', path);
  const fetch = vi.fn<typeof window.fetch>((url) =>
    settled && url === '/wps/system/settings/consolidated'
      ? Promise.resolve(Response.json(settled))
      : new Promise(() => {}),
  );
  vi.stubGlobal('fetch', fetch);
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is this project's own page
  new Function(script)();
  return fetch;
}

const urls = (fetch: ReturnType<typeof boot>) => fetch.mock.calls.map(([url]) => url);

/** Lets the test decide when the picture loads or fails. */
function deferPicture() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  HTMLImageElement.prototype.decode = () => promise;
  return { load: resolve, fail: () => reject(new Error('no such picture')) };
}

beforeEach(() => {
  delete window.preloadedResponses;
  delete window.firstPicture;
  delete root.dataset.loading;
});

afterEach(() => void vi.useRealTimers());

test.each([
  [{}, 'dark', 'vi', 'ltr'],
  [{ theme: 'light', lang: 'en' }, 'light', 'en', 'ltr'],
  [{ theme: 'purple', lang: 'xx' }, 'dark', 'vi', 'ltr'],
  [{ theme: 'dark', lang: 'ur' }, 'dark', 'ur', 'rtl'],
])('LY-09 before the first paint: %j sets %s, %s, %s', (stored, theme, lang, dir) => {
  boot('/m/login', stored);
  expect(root.dataset.theme).toBe(theme);
  expect(root.lang).toBe(lang);
  expect(root.dir).toBe(dir);
});

test('before the first paint: the merchant’s defaults apply until the visitor chooses', () => {
  const defaults = { 'default-language': 'ur', 'default-theme': 'light' };
  boot('/m/login', {}, {}, undefined, defaults);
  expect([root.dataset.theme, root.lang, root.dir]).toEqual(['light', 'ur', 'rtl']);
  boot('/m/login', { theme: 'dark', lang: 'en' }, {}, undefined, defaults);
  expect([root.dataset.theme, root.lang, root.dir]).toEqual(['dark', 'en', 'ltr']);
});

test.each(['/', '/m', '/m/', '/m/index', '/m/index.html', '/m/home'])(
  '%s preloads the data of home',
  (path) => {
    const requests = urls(boot(path));
    expect(root.dataset.start).toBe('home');
    expect(requests).toEqual([
      '/wps/system/settings/consolidated',
      '/wps/system/status',
      '/wps/system/whitelabel',
      '/wps/system/customerService',
    ]);
    expect(Object.keys(window.preloadedResponses ?? {})).toEqual(requests);
  },
);

test.each([
  ['vi', 'VI'],
  ['ur', 'EN'],
])(
  'CA-09, CA-13 boot part: with the merchant known, requests hot games in %s and announcements',
  async (lang, wire) => {
    const settled = { success: true, value: { merchantCode: 'a&b' } };
    const fetch = boot('/m/home', { lang }, {}, settled);
    await expect.poll(() => urls(fetch)).toHaveLength(6);
    expect(urls(fetch).slice(4)).toEqual([
      `/wps/relay/GCSGAME_hotGamesV2?merchantCode=a%26b&isPlatform=2&language=${wire}&platform=html5`,
      '/wps/relay/MCSFE_getListAnnouncements?types=B%2CPL%2CPU&groupName=m_home&platform=M&merchantCode=a%26b',
    ]);
  },
);

test.each(['/m/login', '/m/gameList', '/m/homes'])('%s preloads nothing', (path) => {
  expect(urls(boot(path))).toEqual([]);
  expect(root.dataset.start).toBe('other');
});

test.each([
  [false, 'MOBILE'],
  [true, 'OTHERS'],
])('CA-21 preload requests have the device of the app, installed %s: %s', (installed, device) => {
  const mode = Object.assign(window.matchMedia(''), { matches: installed });
  vi.spyOn(window, 'matchMedia').mockReturnValue(mode);
  const [, sent] = boot('/m/home', { token: 'token-1' }).mock.calls[0]!;
  expect(sent?.headers).toEqual({ Language: 'VI', Device: device, Authorization: 'token-1' });
  expect(sent?.signal).toBeInstanceOf(AbortSignal);
});

test.each([
  ['en', banner],
  ['ur', '/m/art/banners/first-rtl.webp'],
])('home in %s loads its picture before everything else', async (lang, picture) => {
  const { load } = deferPicture();
  const pictures = { en: banner, ur: '/m/art/banners/first-rtl.webp' };
  const fetch = boot('/m/home', { lang }, pictures);
  expect(window.firstPicture?.getAttribute('src')).toBe(picture);
  expect(window.firstPicture?.getAttribute('srcset')).toBe(bannerSet(picture));
  expect(urls(fetch)).toEqual([]);
  expect(root.dataset.loading).toBeUndefined();
  load();
  await expect.poll(() => root.dataset.loading).toBe('');
  expect(urls(fetch)).toHaveLength(4);
});

test('a picture that fails to load is removed and blocks nothing', async () => {
  const { fail } = deferPicture();
  const fetch = boot('/m/home', {}, { vi: banner });
  document.body.append(window.firstPicture!);
  fail();
  await expect.poll(() => urls(fetch).length).toBe(4);
  expect(window.firstPicture?.isConnected).toBe(false);
});

test('a slow picture delays the app by 500 ms at most, and the app loads once', async () => {
  vi.useFakeTimers();
  const { load } = deferPicture();
  const fetch = boot('/m/home', {}, { vi: banner });
  vi.advanceTimersByTime(499);
  expect(urls(fetch)).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(urls(fetch)).toHaveLength(4);
  load();
  await vi.advanceTimersByTimeAsync(1000);
  expect(urls(fetch)).toHaveLength(4);
});

test.each([
  ['/m/login', 'vi'],
  ['/m/home', 'pt'],
])('%s in %s has no picture and does not wait', (path, lang) => {
  boot(path, { lang }, { vi: banner });
  expect(window.firstPicture).toBeUndefined();
  expect(root.dataset.loading).toBe('');
});

test.each(languages)('the inline script and the app send the same requests in %s', async (lang) => {
  const value = { ...settings, merchantCode: 'a&b' };
  const fetch = boot('/m/home', { lang }, {}, { success: true, value });
  await expect.poll(() => urls(fetch)).toHaveLength(6);
  const preloaded = fetch.mock.calls.map(([url, sent]) => [url, sent?.headers]);
  delete window.preloadedResponses;

  setMerchant('');
  await chooseLanguage(lang);
  const headers = requestHeaders();
  const requests = answerWith({
    'GET /wps/system/settings/consolidated': value,
    'GET /wps/system/status': {},
    'GET /wps/system/whitelabel': {},
    'GET /wps/system/customerService': [],
    'GET /wps/relay/GCSGAME_hotGamesV2': { list: [] },
    'GET /wps/relay/MCSFE_getListAnnouncements': [],
  });
  const cache = new QueryClient();
  await cache.fetchQuery(settingsQuery);
  await cache.fetchQuery(statusQuery);
  await cache.fetchQuery(switchesQuery);
  await cache.fetchQuery(servicesQuery);
  await cache.fetchQuery(hotGamesQuery(lang));
  await cache.fetchQuery(announcementsQuery(lang));
  const appUrls = requests.map(({ url }) => new URL(url).pathname + new URL(url).search);
  expect(preloaded).toEqual(appUrls.map((url) => [url, headers]));
  expect(root.dir).toBe(directionOf(lang));
});

test('the inline script recognizes home as the route table does', () => {
  const startOf = (path: string) => {
    boot(path);
    return root.dataset.start;
  };
  for (const route of routes) {
    for (const path of route.paths.flatMap((one) => [one, `${one}/`])) {
      if (path === '//') continue;
      expect([path, startOf(path)]).toEqual([
        path,
        findRoute(path) === homeRoute ? 'home' : 'other',
      ]);
    }
  }
});
