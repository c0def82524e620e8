// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import page from '../../index.html?raw';

declare global {
  interface Window {
    firstPicture?: HTMLImageElement;
  }
}

const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
const root = document.documentElement;

const banner = '/m/art/banners/first.webp';

/** Runs the page's first script as a browser would at this address, on a page that the server wrote this in. */
function boot(path: string, stored: Record<string, string> = {}, pictures = {}, settled?: object) {
  const list = document.createElement('meta');
  list.name = 'first-pictures';
  list.content = JSON.stringify(pictures);
  document.head.replaceChildren(list);
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  history.replaceState(null, '', path);
  const fetch = vi.fn<typeof window.fetch>((address) =>
    settled && address === '/wps/system/settings/consolidated'
      ? Promise.resolve(Response.json(settled))
      : new Promise(() => {}),
  );
  vi.stubGlobal('fetch', fetch);
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is this project's own page
  new Function(script)();
  return fetch;
}

const addresses = (fetch: ReturnType<typeof boot>) => fetch.mock.calls.map(([address]) => address);

/** The picture's bytes come, or fail to, when the test says so. */
function pictureArrives() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  HTMLImageElement.prototype.decode = () => promise;
  return { come: resolve, fail: () => reject(new Error('no such picture')) };
}

beforeEach(() => {
  delete window.earlyAnswers;
  delete window.firstPicture;
  delete root.dataset.loading;
});

afterEach(() => void vi.useRealTimers());

test.each([
  [{}, 'dark', 'vi', 'ltr'],
  [{ theme: 'light', lang: 'en' }, 'light', 'en', 'ltr'],
  [{ theme: 'purple', lang: 'xx' }, 'dark', 'vi', 'ltr'],
  [{ theme: 'dark', lang: 'ur' }, 'dark', 'ur', 'rtl'],
])('LY-09 before the first paint: %j gives %s, %s, %s', (stored, theme, lang, dir) => {
  boot('/m/login', stored);
  expect(root.dataset.theme).toBe(theme);
  expect(root.lang).toBe(lang);
  expect(root.dir).toBe(dir);
});

test.each(['/', '/m', '/m/', '/m/index', '/m/index.html', '/m/home'])(
  '%s asks early for what home needs',
  (path) => {
    const asked = addresses(boot(path));
    expect(root.dataset.start).toBe('home');
    expect(asked).toEqual([
      '/wps/system/settings/consolidated',
      '/wps/system/status',
      '/wps/system/whitelabel',
      '/wps/system/customerService',
    ]);
    expect(Object.keys(window.earlyAnswers ?? {})).toEqual(asked);
  },
);

test.each([
  ['vi', 'VI'],
  ['ur', 'EN'],
])(
  'CA-09, CA-13 boot part: once the merchant is known, hot games in %s and announcements are asked for',
  async (lang, wire) => {
    const settled = { success: true, value: { merchantCode: 'a&b' } };
    const fetch = boot('/m/home', { lang }, {}, settled);
    await expect.poll(() => addresses(fetch)).toHaveLength(6);
    expect(addresses(fetch).slice(4)).toEqual([
      `/wps/relay/GCSGAME_hotGamesV2?merchantCode=a%26b&isPlatform=2&language=${wire}&platform=html5`,
      '/wps/relay/MCSFE_getListAnnouncements?types=B%2CPL%2CPU&groupName=m_home&platform=M&merchantCode=a%26b',
    ]);
  },
);

test.each(['/m/login', '/m/gameList', '/m/homes'])('%s asks for nothing early', (path) => {
  expect(addresses(boot(path))).toEqual([]);
  expect(root.dataset.start).toBe('other');
});

test.each([
  [false, 'MOBILE'],
  [true, 'OTHERS'],
])('CA-21 early requests say how the app runs, installed %s: %s', (installed, device) => {
  const mode = Object.assign(window.matchMedia(''), { matches: installed });
  vi.spyOn(window, 'matchMedia').mockReturnValue(mode);
  const [, sent] = boot('/m/home', { token: 'token-1' }).mock.calls[0]!;
  expect(sent?.headers).toEqual({ Language: 'VI', Device: device, Authorization: 'token-1' });
  expect(sent?.signal).toBeInstanceOf(AbortSignal);
});

test.each([
  ['en', banner],
  ['ur', '/m/art/banners/first-rtl.webp'],
])('home in %s begins with its picture, and with nothing beside it', async (lang, picture) => {
  const { come } = pictureArrives();
  const pictures = { en: banner, ur: '/m/art/banners/first-rtl.webp' };
  const fetch = boot('/m/home', { lang }, pictures);
  expect(window.firstPicture?.getAttribute('src')).toBe(picture);
  expect(addresses(fetch)).toEqual([]);
  expect(root.dataset.loading).toBeUndefined();
  come();
  await expect.poll(() => root.dataset.loading).toBe('');
  expect(addresses(fetch)).toHaveLength(4);
});

test('a picture that cannot be had is taken away, and holds nothing up', async () => {
  const { fail } = pictureArrives();
  const fetch = boot('/m/home', {}, { vi: banner });
  document.body.append(window.firstPicture!);
  fail();
  await expect.poll(() => addresses(fetch).length).toBe(4);
  expect(window.firstPicture?.isConnected).toBe(false);
});

test('a picture that keeps everyone waiting is not waited for, and starts nothing twice', async () => {
  vi.useFakeTimers();
  const { come } = pictureArrives();
  const fetch = boot('/m/home', {}, { vi: banner });
  vi.advanceTimersByTime(499);
  expect(addresses(fetch)).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(addresses(fetch)).toHaveLength(4);
  come();
  await vi.advanceTimersByTimeAsync(1000);
  expect(addresses(fetch)).toHaveLength(4);
});

test.each([
  ['/m/login', 'vi'],
  ['/m/home', 'pt'],
])('%s in %s has no picture and waits for none', (path, lang) => {
  boot(path, { lang }, { vi: banner });
  expect(window.firstPicture).toBeUndefined();
  expect(root.dataset.loading).toBe('');
});
