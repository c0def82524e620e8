// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { sessionPassword, storeSessionPassword } from './remembered.ts';
import { renew } from './renewal.ts';
import {
  clearSession,
  currentSession,
  endSession,
  openSession,
  useSessionStore,
} from './session.ts';

const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };
const call = 'PUT /wps/session/renew';

beforeEach(() => {
  clearSession();
  openSession(grant, 'fairground');
});

test('the session goes on under a new token, with the password that is held for it', async () => {
  storeSessionPassword('Demo1234');
  const asked = answerWith({ [call]: { ...grant, token: 'token-2' } });
  await renew();
  expect(asked[0]?.headers.get('Authorization')).toBe('token-1');
  expect(currentSession()).toMatchObject({ token: 'token-2', merchantCode: 'fairground' });
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(sessionPassword()).toBe('Demo1234');
});

test('while the token is being changed, another call that is refused with it ends nothing', async () => {
  answerWith({
    [call]: () => {
      void endSession('token-1');
      return Promise.resolve({ ...grant, token: 'token-2' });
    },
  });
  await renew();
  expect(currentSession()?.token).toBe('token-2');
});

test('a session that is over is told', async () => {
  answerWith({ [call]: new Failing(401, 'user.or.token.invalid') });
  await renew();
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(true);
});

test('where the server cannot be reached everything stays', async () => {
  answerWith({});
  await renew();
  expect(currentSession()?.token).toBe('token-1');
  await endSession('token-1');
  expect(currentSession()).toBeNull();
});

test('without a session nothing is asked for; a logout meanwhile stands', async () => {
  const asked = answerWith({
    [call]: () => {
      clearSession();
      return Promise.resolve({ ...grant, token: 'token-2' });
    },
  });
  await renew();
  expect(currentSession()).toBeNull();
  await renew();
  expect(asked).toHaveLength(1);
});

test('a tab whose token another tab has changed takes the new one instead of ending', async () => {
  localStorage.setItem('token', 'token-2');
  await endSession('token-1');
  expect(currentSession()?.token).toBe('token-2');
  expect(useSessionStore.getState().ended).toBe(false);
});
