// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { endOnServer, endWaiting } from './ending.ts';
import { currentSession, startSession } from './session.ts';

let answers: Record<string, unknown>;
let asked: Request[];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  answers = {};
  asked = answerWith(answers);
});

afterEach(() => {
  localStorage.clear();
  // Nothing waits any more, so that nothing is followed.
  endWaiting();
  vi.useRealTimers();
});

const works = () => void (answers['DELETE /wps/session/logout'] = {});
const tokens = () => asked.map(({ headers }) => headers.get('Authorization'));

test('a session that could not be ended is ended when the network returns', async () => {
  await endOnServer('token-1');
  expect(tokens()).toEqual(['token-1']);
  works();
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(10);
  expect(tokens()).toEqual(['token-1', 'token-1']);
  expect(localStorage).toHaveLength(0);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toHaveLength(2);
});

test('also by the next page, and in time where only the server was away', async () => {
  answers['DELETE /wps/session/logout'] = new Failing(503, 'system.error');
  await endOnServer('token-1');
  await endOnServer('token-2');
  endWaiting();
  await vi.advanceTimersByTimeAsync(10);
  expect(tokens()).toEqual(['token-1', 'token-2', 'token-1', 'token-2']);
  works();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(6);
  expect(localStorage).toHaveLength(0);
});

test('a token that the server no longer knows is ended', async () => {
  answers['DELETE /wps/session/logout'] = new Failing(401, 'user.or.token.invalid');
  await endOnServer('token-1');
  expect(localStorage).toHaveLength(0);
});

test('nobody is logged in or out by a token that waits to be ended', async () => {
  await endOnServer('token-1');
  expect(currentSession()).toBeNull();
  expect(localStorage.getItem('token')).toBeNull();
  const session = { token: 'token-2', type: 0, userName: 'u', merchantCode: 'm' };
  startSession({ ...session, firstTimeLogin: false });
  answers['DELETE /wps/session/logout'] = new Failing(401, 'user.or.token.invalid');
  endWaiting();
  await vi.advanceTimersByTimeAsync(10);
  expect(currentSession()?.token).toBe('token-2');
});
