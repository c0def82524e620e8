import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { mendLostParts, remedyFor } from './recovery.ts';

const now = 1_800_000_000_000;
const loss = { online: true, now, reloadedAt: null, update: false };

test.each([
  ['nothing waits', {}, 'reload'],
  ['a newer release waits', { update: true }, 'update'],
  ['there is no network', { online: false, update: true }, 'tell'],
  ['a reload has just not helped', { reloadedAt: now - 1_000, update: true }, 'tell'],
  ['the last reload was for another release', { reloadedAt: now - 3_600_000 }, 'reload'],
  ['the clock was set back', { reloadedAt: now + 1_000 }, 'tell'],
  ['nobody knows of earlier reloads', { reloadedAt: Number.NaN }, 'tell'],
] as const)('a part is gone and %s', (_, more, remedy) => {
  expect(remedyFor({ ...loss, ...more })).toBe(remedy);
});

/** A worker that is asked to take over and does. */
function waitingWorker() {
  const posted: unknown[] = [];
  const worker = Object.assign(new EventTarget(), {
    state: 'installed',
    postMessage: (message: unknown) => posted.push(message),
  });
  return { worker, posted };
}

beforeEach(() => sessionStorage.clear());
afterEach(() => void Reflect.deleteProperty(navigator, 'serviceWorker'));

test('the waiting worker is asked to take over, once', async () => {
  const { worker, posted } = waitingWorker();
  const getRegistration = vi.fn(async () => ({ waiting: worker }));
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration },
    configurable: true,
  });
  mendLostParts();
  dispatchEvent(new Event('vite:preloadError'));
  await expect.poll(() => posted).toEqual([{ type: 'SKIP_WAITING' }]);
  dispatchEvent(new Event('vite:preloadError'));
  await expect.poll(() => getRegistration).toHaveBeenCalledTimes(2);
  await Promise.resolve();
  expect(posted).toHaveLength(1);
});
