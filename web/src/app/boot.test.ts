import { beforeEach, expect, test, vi } from 'vitest';

import page from '../../index.html?raw';

const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
const root = document.documentElement;

/** Runs the page's first script as a browser would at this address. */
function boot(path: string, stored: Record<string, string> = {}) {
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  history.replaceState(null, '', path);
  const fetch = vi.fn<typeof window.fetch>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetch);
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is this project's own page
  new Function(script)();
  return fetch;
}

const addresses = (fetch: ReturnType<typeof boot>) => fetch.mock.calls.map(([address]) => address);

beforeEach(() => {
  delete window.earlyAnswers;
});

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
      '/wps/relay/MCSFE_getListAnnouncements?types=B%2CPL%2CPU&groupName=m_home&platform=M',
      '/wps/system/status',
      '/wps/system/settings/consolidated',
    ]);
    expect(Object.keys(window.earlyAnswers ?? {})).toEqual(asked);
  },
);

test.each(['/m/login', '/m/gameList', '/m/homes'])('%s asks for nothing early', (path) => {
  expect(addresses(boot(path))).toEqual([]);
  expect(root.dataset.start).toBe('other');
});

test.each([
  [false, 'MOBILE'],
  [true, 'OTHERS'],
])('early requests say how the app runs, installed %s: %s', (installed, device) => {
  const mode = Object.assign(window.matchMedia(''), { matches: installed });
  vi.spyOn(window, 'matchMedia').mockReturnValue(mode);
  const [, sent] = boot('/m/home', { token: 'token-1' }).mock.calls[0]!;
  expect(sent?.headers).toEqual({ Language: 'VI', Device: device, Authorization: 'token-1' });
  expect(sent?.signal).toBeInstanceOf(AbortSignal);
});
