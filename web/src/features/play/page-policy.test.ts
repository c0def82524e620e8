// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { renewPage, useRenewedPolicy } from './page-policy.ts';

const origin = 'https://games.example';
const reload = vi.fn();
const kept = new Map<string, Response>();

/** A worker's store with one page in it, as old as the release. */
const store = {
  keys: () => Promise.resolve([...kept.keys()].map((url) => new Request(url))),
  put: (request: Request, answer: Response) => {
    kept.set(request.url, answer);
    return Promise.resolve();
  },
};

const at = `${location.origin}${import.meta.env.BASE_URL}index.html?__WB_REVISION__=1`;

beforeEach(() => {
  sessionStorage.clear();
  reload.mockClear();
  kept.clear();
  kept.set(at, new Response('old', { headers: { 'Content-Security-Policy': 'frame-src a' } }));
  vi.stubGlobal('caches', {
    keys: () => Promise.resolve(['precache']),
    open: () => Promise.resolve(store),
  });
  vi.stubGlobal('location', { origin: location.origin, href: location.href, reload });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function refuse(directive: string, address: string): void {
  const event = new Event('securitypolicyviolation');
  Object.assign(event, { effectiveDirective: directive, blockedURI: address });
  document.dispatchEvent(event);
}

const answers = (status: number) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() =>
      Promise.resolve(
        new Response('new', { status, headers: { 'Content-Security-Policy': 'frame-src a b' } }),
      ),
    ),
  );

test('SE-10 a frame that the kept page’s policy refuses brings the page of the moment, policy and all', async () => {
  answers(200);
  const refused = vi.fn();
  renderHook(() => useRenewedPolicy(origin, refused));
  refuse('frame-src', `${origin}/play?t=1`);
  await expect.poll(() => reload.mock.calls.length).toBe(1);
  expect(kept.get(at)?.headers.get('Content-Security-Policy')).toBe('frame-src a b');
  // What the worker keeps must not be answered with itself.
  expect(vi.mocked(fetch).mock.calls[0]?.[0]).toMatch(/index\.html\?at=\d+$/);
  expect(refused).not.toHaveBeenCalled();
});

test('SE-10 an origin that the new page does not allow either is told, and the page is not loaded for ever', async () => {
  answers(200);
  expect(await renewPage(origin, 1_000_000)).toBe(true);
  expect(await renewPage(origin, 1_010_000)).toBe(false);
  expect(await renewPage(origin, 1_080_000)).toBe(true);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('where the page cannot be had the game is told not to start, and the kept page stays', async () => {
  answers(502);
  const refused = vi.fn();
  renderHook(() => useRenewedPolicy(origin, refused));
  refuse('frame-src', origin);
  await expect.poll(() => refused.mock.calls.length).toBe(1);
  expect(await kept.get(at)?.text()).toBe('old');
  expect(reload).not.toHaveBeenCalled();
});

test('what else the policy refuses changes nothing', async () => {
  answers(200);
  renderHook(() => useRenewedPolicy(origin, () => {}));
  refuse('img-src', `${origin}/a.png`);
  refuse('frame-src', 'https://other.example/');
  await Promise.resolve();
  expect(fetch).not.toHaveBeenCalled();
});
