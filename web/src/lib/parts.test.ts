// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { __vitePreload as part } from './parts.ts';

const answer = (status = 200) => new Response('code', { status });

/** Styles come as soon as their link stands, as out of a cache. */
function stylesCome(): void {
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) node.dispatchEvent(new Event('load'));
  }).observe(document.head, { childList: true });
}

beforeEach(() => {
  vi.stubEnv('BASE_URL', '/m/');
  stylesCome();
});
afterEach(() => {
  vi.unstubAllEnvs();
  document.head.replaceChildren();
});

const links = () => [...document.querySelectorAll('link')].map((link) => link.getAttribute('href'));

test('a part is imported once all its files are there, each fetched once', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  const load = vi.fn(async () => 'part');
  await expect(part(load, ['once/a.js', 'once/b.js'])).resolves.toBe('part');
  await expect(part(load, ['once/b.js'])).resolves.toBe('part');
  expect(fetch.mock.calls.map(([address]) => address)).toEqual(['/m/once/a.js', '/m/once/b.js']);
});

test.each([
  ['the network is away', 'away', () => Promise.reject(new TypeError('away'))],
  ['another release has taken it', '404', async () => answer(404)],
])(
  'where %s nothing is imported, it is told, and the next try asks again',
  async (why, said, fail) => {
    const told = vi.fn();
    addEventListener('vite:preloadError', told, { once: true });
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(fail);
    const load = vi.fn(async () => 'part');
    await expect(part(load, [`${why}/a.js`])).rejects.toThrow(said);
    expect(load).not.toHaveBeenCalled();
    expect(told).toHaveBeenCalledOnce();
    fetch.mockImplementation(async () => answer());
    await expect(part(load, [`${why}/a.js`])).resolves.toBe('part');
  },
);

test('styles stand in their order, whichever came first', async () => {
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

test('what came with the page is not fetched again', async () => {
  document.head.innerHTML = '<link rel="modulepreload" href="/m/page/app.js">';
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer());
  await part(async () => 'part', ['page/app.js', 'page/part.js']);
  expect(fetch.mock.calls.map(([address]) => address)).toEqual(['/m/page/part.js']);
});
