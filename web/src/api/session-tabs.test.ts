// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';

const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };
const renewal = 'PUT /wps/session/renew';
const wallet = 'GET /wps/wallet';
const invalidToken = new Failing(401, 'user.or.token.invalid');

/** Opens another tab on the same local storage: a new set of modules, which gets no storage events. */
async function openTab() {
  vi.resetModules();
  const [session, { renewToken }, { client, value }] = await Promise.all([
    import('./session.ts'),
    import('./token-renewal.ts'),
    import('./client.ts'),
  ]);
  const getWallet = () => value(client.GET('/wps/wallet' as never) as never).catch(() => 'refused');
  return { ...session, renewToken, getWallet };
}

/** A response that the test sends. */
function deferred() {
  let answer = (_given: unknown): void => {};
  const promise = new Promise<unknown>((resolve) => {
    answer = resolve;
  });
  return { promise, answer };
}

/** Runs the tasks of all tabs one after another, as browser locks do. */
function fakeLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_name: string, task: () => unknown) {
      const turn = last.then(task);
      last = turn.catch(() => {});
      return turn;
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  localStorage.clear();
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a late 401 in one tab keeps the token that another tab has stored', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const late = deferred();
  answerWith({ [wallet]: () => late.promise });
  const request = first.getWallet();
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-2' }, 'fairground');
  late.answer(invalidToken);
  await request;
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
  expect(first.useSessionStore.getState().ended).toBe(false);
});

test('a 401 in one tab waits for the renewal in another tab', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const second = await openTab();
  const late = deferred();
  answerWith({ [wallet]: invalidToken, [renewal]: () => late.promise });
  const renewed = second.renewToken();
  await settled();
  const request = first.getWallet();
  await settled();
  expect(localStorage.getItem('token')).toBe('token-1');
  late.answer({ ...grant, token: 'token-2' });
  await Promise.all([renewed, request]);
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(second.currentSession()?.token).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
  expect(first.useSessionStore.getState().ended).toBe(false);
});

test('a session that the server has ended ends in all tabs', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  answerWith({ [wallet]: invalidToken });
  await first.getWallet();
  expect(localStorage.getItem('token')).toBeNull();
  expect(first.useSessionStore.getState()).toEqual({ session: null, ended: true });
});

test('a renewal keeps the session that another tab has opened meanwhile', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const late = deferred();
  answerWith({ [renewal]: () => late.promise });
  const renewed = first.renewToken();
  await settled();
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-9', userName: 'other77' }, 'fairground');
  late.answer({ ...grant, token: 'token-2' });
  await renewed;
  expect(localStorage.getItem('token')).toBe('token-9');
  expect(localStorage.getItem('userName')).toBe('other77');
  expect(first.currentSession()?.token).toBe('token-9');
});

test('a tab that renews after another adopts the new token without a request', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const second = await openTab();
  const requests = answerWith({ [renewal]: { ...grant, token: 'token-2' } });
  await Promise.all([first.renewToken(), second.renewToken()]);
  expect(requests).toHaveLength(1);
  expect(second.currentSession()?.token).toBe('token-2');
});

test('a tab that could not store its token keeps the token of another tab', async () => {
  const first = await openTab();
  const blocked = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  first.openSession(grant, 'fairground');
  blocked.mockRestore();
  expect(first.currentSession()?.token).toBe('token-1');
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-2' }, 'fairground');
  answerWith({ [wallet]: invalidToken });
  await first.getWallet();
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
});
