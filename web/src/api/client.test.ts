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
  delete window.preloadedResponses;
});

afterEach(() => void vi.useRealTimers());

const touch = () => value(client.GET('/wps/session/touch'));

test('every request has the headers of the session, the merchant, the device and the language', async () => {
  const requests = answerWith({ 'GET /wps/session/touch': {} });
  startSession(session);
  setMerchant('fairground');
  await touch();
  const headers = requests[0]?.headers;
  expect(headers?.get('Authorization')).toBe('token-1');
  expect(headers?.get('Merchant')).toBe('fairground');
  expect(headers?.get('Language')).toBe('VI');
  expect(headers?.get('Device')).toBe('MOBILE');
});

test('CA-21 an installed app sends the device OTHERS', async () => {
  const mode = Object.assign(window.matchMedia(''), { matches: true });
  vi.spyOn(window, 'matchMedia').mockReturnValue(mode);
  const requests = answerWith({ 'GET /wps/system/status': {} });
  await value(client.GET('/wps/system/status'));
  expect(requests[0]?.headers.get('Device')).toBe('OTHERS');
});

test('omits the headers of a missing session, merchant or module', () => {
  expect(requestHeaders()).toEqual({ Language: 'VI', Device: 'MOBILE' });
  expect(requestHeaders('FREEPLAY3').ModuleId).toBe('FREEPLAY3');
});

test('returns the value of the envelope', async () => {
  answerWith({ 'GET /wps/system/country': { country: 'VN', countryDialingCode: '84' } });
  expect(await value(client.GET('/wps/system/country'))).toEqual({
    country: 'VN',
    countryDialingCode: '84',
  });
});

test('an error has the code, status and field of the response', async () => {
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
  ['an HTML page of a proxy', new Response('<html>', { status: 502 })],
  ['an envelope without success', Response.json({ success: false })],
  ['invalid JSON', new Response('{')],
])('%s is a system error', async (_, answer) => {
  answerWith({ 'GET /wps/session/touch': answer });
  await expect(touch()).rejects.toMatchObject({ code: 'system.error' });
});

test('a failed connection is reported as an unstable network', async () => {
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

test('a preloaded response is used once, and only if it succeeded', async () => {
  const requests = answerWith({ 'GET /wps/session/touch': {} });
  const preload = (response: Promise<Response>) => {
    window.preloadedResponses = { '/wps/session/touch': response };
  };
  preload(Promise.resolve(Response.json({ success: true, value: {} })));
  await touch();
  expect(requests).toHaveLength(0);
  await touch();
  expect(requests).toHaveLength(1);
  preload(Promise.resolve(new Response('', { status: 401 })));
  await touch();
  preload(Promise.reject(new TypeError('Failed to fetch')));
  await touch();
  expect(requests).toHaveLength(3);
});

test('a preloaded response times out after 5 seconds', async () => {
  vi.useFakeTimers();
  const requests = answerWith({ 'GET /wps/session/touch': {} });
  window.preloadedResponses = { '/wps/session/touch': new Promise(() => {}) };
  const answer = touch();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(requests).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await answer;
  expect(requests).toHaveLength(1);
});

test('an aborted request does not wait for a preloaded response', async () => {
  vi.useFakeTimers();
  const requests = answerWith({ 'GET /wps/session/touch': {} });
  window.preloadedResponses = { '/wps/session/touch': new Promise(() => {}) };
  const abort = new AbortController();
  const answer = client.GET('/wps/session/touch', { signal: abort.signal });
  await vi.advanceTimersByTimeAsync(10);
  expect(requests).toHaveLength(0);
  abort.abort();
  // No more time passes, so only the abort can end the wait.
  await answer;
});

test('aborting works in a browser without AbortSignal.any', async () => {
  vi.stubGlobal('AbortSignal', { timeout: AbortSignal.timeout.bind(AbortSignal) });
  let sentSignal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_: Request, { signal }: RequestInit) => {
    sentSignal = signal;
    return Promise.resolve(Response.json({ success: true, value: {} }));
  });
  const abort = new AbortController();
  await client.GET('/wps/session/touch', { signal: abort.signal });
  vi.unstubAllGlobals();
  expect(sentSignal?.aborted).toBe(false);
  abort.abort();
  expect(sentSignal?.aborted).toBe(true);
});
