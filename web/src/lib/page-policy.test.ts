// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renewPage, usePolicyRenewal } from './page-policy.ts';

const origin = 'https://games.example';
const reload = vi.fn();
const cached = new Map<string, Response>();

/** A service worker's cache with one old page. */
const store = {
  keys: () => Promise.resolve([...cached.keys()].map((url) => new Request(url))),
  put: (request: Request, answer: Response) => {
    cached.set(request.url, answer);
    return Promise.resolve();
  },
};

const at = `${location.origin}${import.meta.env.BASE_URL}index.html?__WB_REVISION__=1`;

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
  cached.clear();
  cached.set(at, new Response('old', { headers: { 'Content-Security-Policy': 'frame-src a' } }));
  vi.stubGlobal('caches', {
    keys: () => Promise.resolve(['precache']),
    open: () => Promise.resolve(store),
  });
  vi.stubGlobal('location', { origin: location.origin, href: location.href, reload });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function violatePolicy(directive: string, address: string): void {
  const event = new Event('securitypolicyviolation');
  Object.assign(event, { effectiveDirective: directive, blockedURI: address });
  document.dispatchEvent(event);
}

const serverAnswers = (status: number) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() =>
      Promise.resolve(
        new Response('new', { status, headers: { 'Content-Security-Policy': 'frame-src a b' } }),
      ),
    ),
  );

test('SE-10 a frame that the cached page’s policy refuses reloads the current page with its policy', async () => {
  serverAnswers(200);
  const onRefused = vi.fn();
  renderHook(() => usePolicyRenewal(origin, ['frame-src'], onRefused));
  violatePolicy('frame-src', `${origin}/play?t=1`);
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  expect(cached.get(at)?.headers.get('Content-Security-Policy')).toBe('frame-src a b');
  // The query bypasses the worker's cache.
  expect(vi.mocked(fetch).mock.calls[0]?.[0]).toMatch(/index\.html\?at=\d+$/);
  expect(onRefused).not.toHaveBeenCalled();
});

test('SE-10 an origin that the new page refuses too does not reload the page forever', async () => {
  serverAnswers(200);
  expect(await renewPage(origin, 1_000_000)).toBe(true);
  expect(await renewPage(origin, 1_010_000)).toBe(false);
  expect(await renewPage(origin, 1_080_000)).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('when the page cannot be fetched, the game is refused and the cached page stays', async () => {
  serverAnswers(502);
  const onRefused = vi.fn();
  renderHook(() => usePolicyRenewal(origin, ['frame-src'], onRefused));
  violatePolicy('frame-src', origin);
  await expect.poll(() => onRefused.mock.calls.length).toBe(1);
  expect(await cached.get(at)?.text()).toBe('old');
  expect(reload).not.toHaveBeenCalled();
});

test('other policy violations change nothing', async () => {
  serverAnswers(200);
  renderHook(() => usePolicyRenewal(origin, ['frame-src'], () => {}));
  violatePolicy('img-src', `${origin}/a.png`);
  violatePolicy('frame-src', 'https://other.example/');
  await Promise.resolve();
  expect(fetch).not.toHaveBeenCalled();
});
