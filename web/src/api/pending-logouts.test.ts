// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { logOutOnServer, retryLogouts } from './pending-logouts.ts';
import { currentSession, startSession } from './session.ts';

let answers: Record<string, unknown>;
let requests: Request[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  answers = {};
  requests = answerWith(answers);
});

afterEach(() => {
  localStorage.clear();
  // With an empty storage this stops the retries.
  retryLogouts();
  vi.useRealTimers();
});

const allowLogout = () => void (answers['DELETE /wps/session/logout'] = {});
const tokens = () => requests.map(({ headers }) => headers.get('Authorization'));

test('a failed logout is retried when the network returns', async () => {
  await logOutOnServer('token-1');
  expect(tokens()).toEqual(['token-1']);
  allowLogout();
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(10);
  expect(tokens()).toEqual(['token-1', 'token-1']);
  expect(localStorage).toHaveLength(0);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(300_000);
  expect(requests).toHaveLength(2);
});

test('a failed logout is retried by the next page, and every minute', async () => {
  answers['DELETE /wps/session/logout'] = new Failing(503, 'system.error');
  await logOutOnServer('token-1');
  await logOutOnServer('token-2');
  retryLogouts();
  await vi.advanceTimersByTimeAsync(10);
  expect(tokens()).toEqual(['token-1', 'token-2', 'token-1', 'token-2']);
  allowLogout();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(6);
  expect(localStorage).toHaveLength(0);
});

test('a token that the server no longer knows counts as logged out', async () => {
  answers['DELETE /wps/session/logout'] = new Failing(401, 'user.or.token.invalid');
  await logOutOnServer('token-1');
  expect(localStorage).toHaveLength(0);
});

test('a pending logout neither starts nor ends a session on this device', async () => {
  await logOutOnServer('token-1');
  expect(currentSession()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
  const session = { token: 'token-2', type: 0, userName: 'u', merchantCode: 'm' };
  startSession({ ...session, firstTimeLogin: false });
  answers['DELETE /wps/session/logout'] = new Failing(401, 'user.or.token.invalid');
  retryLogouts();
  await vi.advanceTimersByTimeAsync(10);
  expect(currentSession()?.token).toBe('token-2');
});
