// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';

const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };
const renewal = 'PUT /wps/session/renew';
const wallet = 'GET /wps/wallet';
const dead = new Failing(401, 'user.or.token.invalid');

/** A tab of its own on the one local storage: its modules are loaded anew. The other tabs' changes reach it late. */
async function openTab() {
  vi.resetModules();
  const [session, { renew }, { client, value }] = await Promise.all([
    import('./session.ts'),
    import('./renewal.ts'),
    import('./client.ts'),
  ]);
  const ask = () => value(client.GET('/wps/wallet' as never) as never).catch(() => 'refused');
  return { ...session, renew, ask };
}

/** Answers when the test says so. */
function held() {
  let answer = (_given: unknown): void => {};
  const promise = new Promise<unknown>((resolve) => {
    answer = resolve;
  });
  return { promise, answer };
}

/** Lets tabs take turns, as browsers do. */
function locks() {
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
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks() });
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a late refusal in one tab leaves the token that another tab has stored', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const late = held();
  answerWith({ [wallet]: () => late.promise });
  const asked = first.ask();
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-2' }, 'fairground');
  late.answer(dead);
  await asked;
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
  expect(first.useSessionStore.getState().ended).toBe(false);
});

test('a refusal in one tab waits for the new token that another tab is getting', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const second = await openTab();
  const late = held();
  answerWith({ [wallet]: dead, [renewal]: () => late.promise });
  const renewed = second.renew();
  await settled();
  const asked = first.ask();
  await settled();
  expect(localStorage.getItem('token')).toBe('token-1');
  late.answer({ ...grant, token: 'token-2' });
  await Promise.all([renewed, asked]);
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(second.currentSession()?.token).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
  expect(first.useSessionStore.getState().ended).toBe(false);
});

test('a session that the server has ended ends in the tab that hears of it, for all', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  answerWith({ [wallet]: dead });
  await first.ask();
  expect(localStorage.getItem('token')).toBeNull();
  expect(first.useSessionStore.getState()).toEqual({ session: null, ended: true });
});

test('a renewal leaves the session that another tab has opened meanwhile', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const late = held();
  answerWith({ [renewal]: () => late.promise });
  const renewed = first.renew();
  await settled();
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-9', userName: 'other77' }, 'fairground');
  late.answer({ ...grant, token: 'token-2' });
  await renewed;
  expect(localStorage.getItem('token')).toBe('token-9');
  expect(localStorage.getItem('userName')).toBe('other77');
  expect(first.currentSession()?.token).toBe('token-9');
});

test('a tab whose turn to renew comes after another takes the new token and asks for none', async () => {
  const first = await openTab();
  first.openSession(grant, 'fairground');
  const second = await openTab();
  const asked = answerWith({ [renewal]: { ...grant, token: 'token-2' } });
  await Promise.all([first.renew(), second.renew()]);
  expect(asked).toHaveLength(1);
  expect(second.currentSession()?.token).toBe('token-2');
});

test('a tab that could not store its own token leaves the one that another tab has stored', async () => {
  const first = await openTab();
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  first.openSession(grant, 'fairground');
  full.mockRestore();
  expect(first.currentSession()?.token).toBe('token-1');
  const second = await openTab();
  second.openSession({ ...grant, token: 'token-2' }, 'fairground');
  answerWith({ [wallet]: dead });
  await first.ask();
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(first.currentSession()?.token).toBe('token-2');
});
