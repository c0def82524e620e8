// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  clearSession,
  currentSession,
  endSession,
  watchOtherTabs,
  isAgent,
  isRealAccount,
  startSession,
  useSessionStore,
  type Session,
} from './session.ts';

const session: Session = {
  token: 'token-1',
  type: 0,
  userName: 'demo88',
  merchantCode: 'fairground',
  firstTimeLogin: true,
};

let stop: () => void;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  useSessionStore.setState({ session: null, ended: false });
  stop = watchOtherTabs();
});

afterEach(() => stop());

const stored = () => Object.fromEntries(Object.entries(localStorage));

/** Changes the storage as another tab would. */
function otherTab(change: () => void, key: string | null = 'token') {
  change();
  dispatchEvent(new StorageEvent('storage', { key }));
}

test('EN-01 session info is in local storage under its five keys', () => {
  startSession(session);
  expect(stored()).toEqual({
    token: 'token-1',
    type: '0',
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: 'true',
  });
  expect(currentSession()).toEqual(session);
});

test('clearing removes the five keys and all session storage, and nothing else', () => {
  startSession(session);
  localStorage.setItem('theme', 'light');
  sessionStorage.setItem('trialName', 'trial-1');
  clearSession();
  expect(stored()).toEqual({ theme: 'light' });
  expect(sessionStorage).toHaveLength(0);
  expect(currentSession()).toBeNull();
});

test('a login in another tab logs this one in', () => {
  otherTab(() => {
    for (const [key, value] of Object.entries(session)) localStorage.setItem(key, String(value));
  });
  expect(currentSession()).toEqual(session);
});

test.each(['token', null])('a logout in another tab logs this one out (key %s)', (key) => {
  startSession(session);
  sessionStorage.setItem('trialName', 'trial-1');
  otherTab(() => localStorage.clear(), key);
  expect(currentSession()).toBeNull();
  expect(sessionStorage).toHaveLength(0);
  expect(useSessionStore.getState().ended).toBe(false);
});

test('a change of another key in another tab changes nothing', () => {
  startSession(session);
  otherTab(() => localStorage.removeItem('token'), 'theme');
  expect(currentSession()).toEqual(session);
});

test('a session ended by the server is marked once, and a late response to an older token ends nothing', async () => {
  startSession(session);
  await endSession('token-0');
  expect(currentSession()).toEqual(session);
  await endSession('token-1');
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(true);
});

test('a missing or invalid type counts as a guest', () => {
  for (const type of [null, '', 'x', '-1', '1e3']) {
    localStorage.clear();
    if (type !== null) localStorage.setItem('type', type);
    otherTab(() => localStorage.setItem('token', `t-${type}`));
    expect(currentSession()?.type).toBe(4);
    expect(isRealAccount(currentSession())).toBe(false);
  }
});

test('real accounts and agents are recognized by type', () => {
  const withType = (type: number) => ({ ...session, type });
  expect([0, 1, 2, 4, 40, 41, 42].filter((type) => isRealAccount(withType(type)))).toEqual([
    0, 1, 2,
  ]);
  expect([0, 1, 2, 4, 40, 41, 42].filter((type) => isAgent(withType(type)))).toEqual([1, 2]);
  expect(isRealAccount(null)).toBe(false);
});

test.each(['tökén-€', 'two\nlines', 'with space', '\u0000'])(
  'a stored token that no header can carry (%j) is removed',
  (token) => {
    otherTab(() => localStorage.setItem('token', token));
    expect(currentSession()).toBeNull();
    expect(localStorage.getItem('token')).toBeNull();
  },
);
