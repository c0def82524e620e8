// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { __vitePreload as part } from './parts.ts';

const answer = (status = 200) => new Response('code', { status });

/** Fires the load event of each added link, as for a cached file. */
function loadStyles(): void {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) node.dispatchEvent(new Event('load'));
  }).observe(document.head, { childList: true });
}

beforeEach(() => {
  vi.stubEnv('BASE_URL', '/m/');
  loadStyles();
});
afterEach(() => {
  vi.unstubAllEnvs();
  document.head.replaceChildren();
});

const links = () => [...document.querySelectorAll('link')].map((link) => link.getAttribute('href'));

test('a chunk is imported when all its files are loaded, each file once', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const load = vi.fn(async () => 'part');
  await expect(part(load, ['once/a.js', 'once/b.js'])).resolves.toBe('part');
  await expect(part(load, ['once/b.js'])).resolves.toBe('part');
  expect(fetch.mock.calls.map(([address]) => address)).toEqual(['/m/once/a.js', '/m/once/b.js']);
});

test.each([
  ['the network is down', 'away', () => Promise.reject(new TypeError('away'))],
  ['another release has removed it', '404', async () => answer(404)],
])(
  'if %s, the import fails with an event, and the next attempt fetches again',
  async (why, message, fail) => {
    const onError = vi.fn();
    addEventListener('vite:preloadError', onError, { once: true });
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(fail);
    const load = vi.fn(async () => 'part');
    await expect(part(load, [`${why}/a.js`])).rejects.toThrow(message);
    expect(load).not.toHaveBeenCalled();
    expect(onError).toHaveBeenCalledOnce();
    fetch.mockImplementation(async () => answer());
    await expect(part(load, [`${why}/a.js`])).resolves.toBe('part');
  },
);

test('styles keep their order, whichever loads first', async () => {
  const late = Promise.withResolvers<Response>();
  vi.spyOn(globalThis, 'fetch').mockImplementation((address) =>
    address === '/m/order/base.css' ? late.promise : Promise.resolve(answer()),
  );
  const loaded = part(async () => 'part', ['order/a.js', 'order/base.css', 'order/own.css']);
  expect(links()).toEqual([]);
  late.resolve(answer());
  await loaded;
  expect(links()).toEqual(['/m/order/base.css', '/m/order/own.css']);
});

test('files of the page are not fetched again', async () => {
  document.head.innerHTML = '<link rel="modulepreload" href="/m/page/app.js">';
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  await part(async () => 'part', ['page/app.js', 'page/part.js']);
  expect(fetch.mock.calls.map(([address]) => address)).toEqual(['/m/page/part.js']);
});
