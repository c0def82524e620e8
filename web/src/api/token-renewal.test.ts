// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { sessionPassword, storeSessionPassword } from './remembered-login.ts';
import {
  clearSession,
  currentSession,
  endSession,
  openSession,
  useSessionStore,
} from './session.ts';
import { renewToken } from './token-renewal.ts';

const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };
const call = 'PUT /wps/session/renew';

beforeEach(() => {
  clearSession();
  openSession(grant, 'fairground');
});

test('the session continues with a new token and keeps its password in memory', async () => {
  storeSessionPassword('Demo1234');
  const requests = answerWith({ [call]: { ...grant, token: 'token-2' } });
  await renewToken();
  expect(requests[0]?.headers.get('Authorization')).toBe('token-1');
  expect(currentSession()).toMatchObject({ token: 'token-2', merchantCode: 'fairground' });
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(sessionPassword()).toBe('Demo1234');
});

test('a 401 for another request during the renewal does not end the session', async () => {
  answerWith({
    [call]: () => {
      void endSession('token-1');
      return Promise.resolve({ ...grant, token: 'token-2' });
    },
  });
  await renewToken();
  expect(currentSession()?.token).toBe('token-2');
});

test('a renewal that the server rejects ends the session', async () => {
  answerWith({ [call]: new Failing(401, 'user.or.token.invalid') });
  await renewToken();
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(true);
});

test('an unreachable server changes nothing', async () => {
  answerWith({});
  await renewToken();
  expect(currentSession()?.token).toBe('token-1');
  await endSession('token-1');
  expect(currentSession()).toBeNull();
});

test('without a session no request is sent; a logout during the renewal stays', async () => {
  const requests = answerWith({
    [call]: () => {
      clearSession();
      return Promise.resolve({ ...grant, token: 'token-2' });
    },
  });
  await renewToken();
  expect(currentSession()).toBeNull();
  await renewToken();
  expect(requests).toHaveLength(1);
});

test('a tab adopts the token that another tab has renewed', async () => {
  localStorage.setItem('token', 'token-2');
  await endSession('token-1');
  expect(currentSession()?.token).toBe('token-2');
  expect(useSessionStore.getState().ended).toBe(false);
});
