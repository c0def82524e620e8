// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { currentSession, startSession, useSessionStore } from '../api/session.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { logOut } from './logout.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  toast.hide();
  history.replaceState(null, '', '/m/member/home');
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  sessionStorage.setItem('trialName', 'trial-1');
  sessionStorage.setItem('announcementPopup.m_home', '{"show":false}');
});

const deleted = (requests: Request[]) =>
  requests.filter(({ method, url }) => method === 'DELETE' && url.endsWith('/wps/session/logout'));

test('ST-01 after the question: sends DELETE with the token, clears all data, sets autoLogin 0, opens home', async () => {
  const requests = answerWith({ 'DELETE /wps/session/logout': {} });
  await logOut();
  expect(deleted(requests).map(({ headers }) => headers.get('Authorization'))).toEqual(['token-1']);
  expect(currentSession()).toBeNull();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ autoLogin: '0' });
  expect(sessionStorage).toHaveLength(0);
  expect(location.pathname).toBe('/m/home');
});

test('KO-01 logout part: the loading toast stays until the request ends', async () => {
  let answer!: (value: unknown) => void;
  answerWith({
    'DELETE /wps/session/logout': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const loggingOut = logOut();
  await Promise.resolve();
  expect(useToastStore.getState().current).toMatchObject({ kind: 'loading', blocking: true });
  await expect.poll(() => answer).toBeDefined();
  answer({});
  await loggingOut;
  expect(useToastStore.getState().current).toMatchObject({ kind: 'success', blocking: false });
});

test.each([
  ['is unreachable', {}],
  ['fails', { 'DELETE /wps/session/logout': new Failing(500, 'system.error') }],
  ['no longer knows it', { 'DELETE /wps/session/logout': new Failing(401, 'login.not.session') }],
])('the session is removed from this device even if the server %s', async (_, answers) => {
  answerWith(answers);
  await logOut();
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(false);
  expect(localStorage.getItem('autoLogin')).toBe('0');
  expect(localStorage.getItem('token')).toBeNull();
  expect(location.pathname).toBe('/m/home');
});

test('a second tap sends no request', async () => {
  const requests = answerWith({ 'DELETE /wps/session/logout': {} });
  await Promise.all([logOut(), logOut()]);
  expect(deleted(requests)).toHaveLength(1);
});
