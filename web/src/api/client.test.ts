// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { answerWith, Failing } from '../lib/testing/answers.ts';
import { client, requestHeaders, setMerchant, value } from './client.ts';
import { clearSession, currentSession, startSession, useSessionStore } from './session.ts';

const session = {
  token: 'token-1',
  type: 0,
  userName: 'demo88',
  merchantCode: 'fairground',
  firstTimeLogin: false,
};

beforeEach(() => {
  clearSession();
  setMerchant('');
  delete window.earlyAnswers;
});

afterEach(() => void vi.useRealTimers());

const touch = () => value(client.GET('/wps/session/touch'));

test('every request says who asks, from where and in which language', async () => {
  const asked = answerWith({ 'GET /wps/session/touch': {} });
  startSession(session);
  setMerchant('fairground');
  await touch();
  const headers = asked[0]?.headers;
  expect(headers?.get('Authorization')).toBe('token-1');
  expect(headers?.get('Merchant')).toBe('fairground');
  expect(headers?.get('Language')).toBe('VI');
  expect(headers?.get('Device')).toBe('MOBILE');
});

test('CA-21 installed as a standalone app, every request says OTHERS', async () => {
  const mode = Object.assign(window.matchMedia(''), { matches: true });
  vi.spyOn(window, 'matchMedia').mockReturnValue(mode);
  const asked = answerWith({ 'GET /wps/system/status': {} });
  await value(client.GET('/wps/system/status'));
  expect(asked[0]?.headers.get('Device')).toBe('OTHERS');
});

test('without a session, a merchant or a module those headers are left out', () => {
  expect(requestHeaders()).toEqual({ Language: 'VI', Device: 'MOBILE' });
  expect(requestHeaders('FREEPLAY3').ModuleId).toBe('FREEPLAY3');
});

test('the value comes out of its envelope', async () => {
  answerWith({ 'GET /wps/system/country': { country: 'VN', countryDialingCode: '84' } });
  expect(await value(client.GET('/wps/system/country'))).toEqual({
    country: 'VN',
    countryDialingCode: '84',
  });
});

test('a failure carries code, status and field', async () => {
  answerWith({
    'GET /wps/session/touch': new Failing(400, 'request_param_err', { field: 'x', requestId: 'r' }),
  });
  await expect(touch()).rejects.toMatchObject({
    code: 'request_param_err',
    status: 400,
    field: 'x',
    requestId: 'r',
  });
});

test.each([
  ['a page of a proxy', new Response('<html>', { status: 502 })],
  ['a success that is none', Response.json({ success: false })],
  ['nonsense', new Response('{')],
])('%s is a system error', async (_, answer) => {
  answerWith({ 'GET /wps/session/touch': answer });
  await expect(touch()).rejects.toMatchObject({ code: 'system.error' });
});

test('a broken line is told as one', async () => {
  answerWith({});
  await expect(touch()).rejects.toMatchObject({ code: 'network.unstable', status: 0 });
});

test.each(['login.not.session', 'user.or.token.invalid'])('%s ends the session', async (code) => {
  answerWith({ 'GET /wps/session/touch': new Failing(401, code) });
  startSession(session);
  await expect(touch()).rejects.toMatchObject({ code });
  expect(currentSession()).toBeNull();
  expect(useSessionStore.getState().ended).toBe(true);
});

test('a late refusal of an older token does not end the new session', async () => {
  startSession(session);
  answerWith({
    'GET /wps/session/touch': () => {
      startSession({ ...session, token: 'token-2' });
      return new Failing(401, 'user.or.token.invalid');
    },
  });
  await expect(touch()).rejects.toMatchObject({ status: 401 });
  expect(currentSession()?.token).toBe('token-2');
});

test('an early answer serves once, and only if it is a good one', async () => {
  const asked = answerWith({ 'GET /wps/session/touch': {} });
  const early = (response: Promise<Response>) => {
    window.earlyAnswers = { '/wps/session/touch': response };
  };
  early(Promise.resolve(Response.json({ success: true, value: {} })));
  await touch();
  expect(asked).toHaveLength(0);
  await touch();
  expect(asked).toHaveLength(1);
  early(Promise.resolve(new Response('', { status: 401 })));
  await touch();
  early(Promise.reject(new TypeError('Failed to fetch')));
  await touch();
  expect(asked).toHaveLength(3);
});

test('an early answer that does not come is not waited for longer than 5 seconds', async () => {
  vi.useFakeTimers();
  const asked = answerWith({ 'GET /wps/session/touch': {} });
  window.earlyAnswers = { '/wps/session/touch': new Promise(() => {}) };
  const answer = touch();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(asked).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await answer;
  expect(asked).toHaveLength(1);
});

test('whoever no longer wants an answer does not wait for an early one', async () => {
  vi.useFakeTimers();
  const asked = answerWith({ 'GET /wps/session/touch': {} });
  window.earlyAnswers = { '/wps/session/touch': new Promise(() => {}) };
  const left = new AbortController();
  const answer = client.GET('/wps/session/touch', { signal: left.signal });
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toHaveLength(0);
  left.abort();
  // No more time passes: only the word that it is not wanted can end this wait.
  await answer;
});

test('a browser that cannot join signals is heard all the same', async () => {
  vi.stubGlobal('AbortSignal', { timeout: AbortSignal.timeout.bind(AbortSignal) });
  let given: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) => {
    given = signal;
    return Promise.resolve(Response.json({ success: true, value: {} }));
  });
  const left = new AbortController();
  await client.GET('/wps/session/touch', { signal: left.signal });
  vi.unstubAllGlobals();
  expect(given?.aborted).toBe(false);
  left.abort();
  expect(given?.aborted).toBe(true);
});
