// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { currentSession, startSession, useSessionStore } from '../api/session.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { leave } from './logout.ts';

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

const deleted = (asked: Request[]) =>
  asked.filter(({ method, url }) => method === 'DELETE' && url.endsWith('/wps/session/logout'));

test('ST-01 after the question: DELETE with the token, all cleared, autoLogin 0, home', async () => {
  const asked = answerWith({ 'DELETE /wps/session/logout': {} });
  await leave();
  expect(deleted(asked).map(({ headers }) => headers.get('Authorization'))).toEqual(['token-1']);
  expect(currentSession()).toBeNull();
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({ autoLogin: '0' });
  expect(sessionStorage).toHaveLength(0);
  expect(location.pathname).toBe('/m/home');
});

test('KO-01 logout part: the loading toast stays until the call has ended', async () => {
  let answer!: (value: unknown) => void;
  answerWith({
    'DELETE /wps/session/logout': () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const leaving = leave();
  await Promise.resolve();
  expect(useToastStore.getState().current).toMatchObject({ kind: 'loading', blocking: true });
  await expect.poll(() => answer).toBeDefined();
  answer({});
  await leaving;
  expect(useToastStore.getState().current).toMatchObject({ kind: 'success', blocking: false });
});

test.each([
  ['cannot be reached', {}],
  ['refuses', { 'DELETE /wps/session/logout': new Failing(500, 'system.error') }],
  ['no longer knows it', { 'DELETE /wps/session/logout': new Failing(401, 'login.not.session') }],
])('the session is gone from this device even if the server %s', async (_, answers) => {
  answerWith(answers);
  await leave();
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(false);
  expect(localStorage.getItem('autoLogin')).toBe('0');
  expect(localStorage.getItem('token')).toBeNull();
  expect(location.pathname).toBe('/m/home');
});

test('a second tap sends nothing', async () => {
  const asked = answerWith({ 'DELETE /wps/session/logout': {} });
  await Promise.all([leave(), leave()]);
  expect(deleted(asked)).toHaveLength(1);
});
