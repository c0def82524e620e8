import { beforeEach, expect, test, vi } from 'vitest';

import page from '../../index.html?raw';

const script = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
const root = document.documentElement;

/** Runs the page's first script as a browser would at this address. */
function boot(path: string, stored: Record<string, string> = {}) {
  localStorage.clear();
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  history.replaceState(null, '', path);
  const fetch = vi.fn<(address: string) => Promise<Response>>(() => new Promise(() => {}));
  vi.stubGlobal('fetch', fetch);
  // oxlint-disable-next-line typescript/no-implied-eval -- the script is this project's own page
  new Function(script)();
  return fetch.mock.calls.map(([address]) => address);
}

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
    const asked = boot(path);
    expect(root.dataset.start).toBe('home');
    expect(asked).toEqual([
      '/wps/relay/MCSFE_getListAnnouncements?types=B%2CPL%2CPU&groupName=m_home&platform=M',
      '/wps/system/settings/consolidated',
    ]);
    expect(Object.keys(window.earlyAnswers ?? {})).toEqual(asked);
  },
);

test.each(['/m/login', '/m/gameList', '/m/homes'])('%s asks for nothing early', (path) => {
  expect(boot(path)).toEqual([]);
  expect(root.dataset.start).toBe('other');
});
