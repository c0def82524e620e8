// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { recoverFailedImports, chooseRecovery } from './recovery.ts';

const now = 1_800_000_000_000;
const failure = {
  release: 'old',
  now,
  reloadedAt: null,
  typed: false,
  repeated: false,
  lost: false,
} as const;

test.each([
  ['the server has another release', {}, 'reload'],
  ['the server is unreachable', { release: 'unknown', repeated: true }, 'none'],
  ['the server still has the release', { release: 'current' }, 'none'],
  ['the browser does not retry it', { release: 'current', repeated: true }, 'offer'],
  ['a screen is lost', { release: 'current', repeated: true, lost: true }, 'reload'],
  ['a screen is lost, with typed text', { release: 'current', lost: true, typed: true }, 'offer'],
  ['a screen is lost after a reload', { release: 'current', lost: true, reloadedAt: now }, 'offer'],
  ['the member has typed text', { typed: true }, 'offer'],
  ['a reload has just failed', { reloadedAt: now - 1_000 }, 'offer'],
  ['the last reload was long ago', { reloadedAt: now - 3_600_000 }, 'reload'],
  ['the clock was set back', { reloadedAt: now + 1_000 }, 'offer'],
  ['earlier reloads are unknown', { reloadedAt: Number.NaN }, 'offer'],
] as const)('an import failed and %s', (_, more, recovery) => {
  expect(chooseRecovery({ ...failure, ...more })).toBe(recovery);
});

/** A waiting worker that records its messages. */
function waitingWorker() {
  const posted: unknown[] = [];
  const worker = Object.assign(new EventTarget(), {
    state: 'installed',
    postMessage: (message: unknown) => posted.push(message),
  });
  return { worker, posted };
}

const page = `GET ${import.meta.env.BASE_URL}index.html`;
const thisFile = new URL(import.meta.url).pathname.replace('.test.', '.');
const currentPage = () => new Response(`import("${thisFile}")`);

let getRegistration: ReturnType<typeof vi.fn>;
let answers: Record<string, unknown>;
let requests: Request[];

// A page has one handler, which is never removed.
recoverFailedImports();
const failImport = () => dispatchEvent(new Event('vite:preloadError'));
const offeredAction = () => useToastStore.getState().current?.action;

beforeEach(() => {
  sessionStorage.clear();
  toast.hide();
  answers = {};
  requests = answerWith(answers);
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

test('nothing happens while the server is unreachable', async () => {
  failImport();
  await expect.poll(() => requests).toHaveLength(1);
  await Promise.resolve();
  expect(getRegistration).not.toHaveBeenCalled();
  expect(sessionStorage).toHaveLength(0);
  expect(offeredAction()).toBeUndefined();
});

test('a repeated failure offers a reload if the server still has the release', async () => {
  answers[page] = currentPage;
  failImport();
  await expect.poll(offeredAction).toBeDefined();
  expect(sessionStorage).toHaveLength(0);
});

test('a waiting worker is activated once; after that a reload is offered', async () => {
  const { worker, posted } = waitingWorker();
  getRegistration.mockImplementation(async () => ({ waiting: worker }));
  answers[page] = () => new Response('another release');
  failImport();
  await expect.poll(() => posted).toEqual([{ type: 'SKIP_WAITING' }]);
  failImport();
  await expect.poll(offeredAction).toBeDefined();
  expect(posted).toHaveLength(1);
});

test('typed text prevents an automatic reload: the new release is offered', async () => {
  const { worker, posted } = waitingWorker();
  getRegistration.mockImplementation(async () => ({ waiting: worker }));
  answers[page] = () => new Response('another release');
  document.body.append(Object.assign(document.createElement('input'), { value: 'player99' }));
  failImport();
  await expect.poll(offeredAction).toBeDefined();
  expect(posted).toHaveLength(0);
  offeredAction()?.onPress();
  expect(posted).toHaveLength(1);
});
