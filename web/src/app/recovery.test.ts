// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { recoverFailedImports, remedyFor } from './recovery.ts';

const now = 1_800_000_000_000;
const loss = { release: 'old', now, reloadedAt: null, typed: false, again: false } as const;

test.each([
  ['the server has another release', {}, 'reload'],
  ['the server is away', { release: 'unknown', again: true }, 'none'],
  ['the server still has it', { release: 'current' }, 'none'],
  ['the server has it but the browser does not try', { release: 'current', again: true }, 'offer'],
  ['something is typed', { typed: true }, 'offer'],
  ['a reload has just not helped', { reloadedAt: now - 1_000 }, 'offer'],
  ['the last reload was for another release', { reloadedAt: now - 3_600_000 }, 'reload'],
  ['the clock was set back', { reloadedAt: now + 1_000 }, 'offer'],
  ['nobody knows of earlier reloads', { reloadedAt: Number.NaN }, 'offer'],
] as const)('a part could not be had and %s', (_, more, remedy) => {
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

const page = `GET ${import.meta.env.BASE_URL}index.html`;
const ownFile = new URL(import.meta.url).pathname.replace('.test.', '.');
const ownPage = () => new Response(`import("${ownFile}")`);

let getRegistration: ReturnType<typeof vi.fn>;
let answers: Record<string, unknown>;
let asked: Request[];

// One page has one follower, for all its life.
recoverFailedImports();
const lose = () => dispatchEvent(new Event('vite:preloadError'));
const offered = () => useToastStore.getState().current?.action;

beforeEach(() => {
  sessionStorage.clear();
  toast.hide();
  answers = {};
  asked = answerWith(answers);
  getRegistration = vi.fn(async () => undefined);
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration },
    configurable: true,
  });
});

afterEach(() => {
  document.body.replaceChildren();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

test('while the server is away nothing is done but telling', async () => {
  lose();
  await expect.poll(() => asked).toHaveLength(1);
  await Promise.resolve();
  expect(getRegistration).not.toHaveBeenCalled();
  expect(sessionStorage).toHaveLength(0);
  expect(offered()).toBeUndefined();
});

test('where the server still has the part a reload is only offered, once trying again has failed', async () => {
  answers[page] = ownPage;
  lose();
  await expect.poll(offered).toBeDefined();
  expect(sessionStorage).toHaveLength(0);
});

test('a waiting worker is asked to take over, once; after that it is offered', async () => {
  const { worker, posted } = waitingWorker();
  getRegistration.mockImplementation(async () => ({ waiting: worker }));
  answers[page] = () => new Response('another release');
  lose();
  await expect.poll(() => posted).toEqual([{ type: 'SKIP_WAITING' }]);
  lose();
  await expect.poll(offered).toBeDefined();
  expect(posted).toHaveLength(1);
});

test('what is typed is never lost: the new release is offered', async () => {
  const { worker, posted } = waitingWorker();
  getRegistration.mockImplementation(async () => ({ waiting: worker }));
  answers[page] = () => new Response('another release');
  document.body.append(Object.assign(document.createElement('input'), { value: 'player99' }));
  lose();
  await expect.poll(offered).toBeDefined();
  expect(posted).toHaveLength(0);
  offered()?.onPress();
  expect(posted).toHaveLength(1);
});
