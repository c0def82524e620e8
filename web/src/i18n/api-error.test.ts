// @vitest-environment jsdom
import { i18n } from '@lingui/core';
import { beforeEach, expect, test } from 'vitest';

import { ApiError, describeError, errorOfResponse, errorOfThrown } from './api-error.ts';

beforeEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const answer = (status: number, headers?: Record<string, string>) =>
  new Response(null, headers ? { status, headers } : { status });

test('reads code, field, values and request id of an error response', () => {
  const error = errorOfResponse(answer(400), {
    success: false,
    errorCode: 'request_param_err',
    message: 'server text',
    field: 'username',
    args: { max: '16' },
    requestId: 'r-1',
  });
  expect(error).toMatchObject({
    code: 'request_param_err',
    status: 400,
    field: 'username',
    args: { max: '16' },
    requestId: 'r-1',
  });
});

test.each([null, 'a proxy page', [], { errorCode: 7 }, {}])(
  'a body of another server is a system error: %j',
  (body) => {
    const error = errorOfResponse(answer(502, { 'X-Request-Id': 'r-2' }), body);
    expect(error).toMatchObject({ code: 'system.error', status: 502, requestId: 'r-2' });
  },
);

test('translates by code and never uses the text of the server', () => {
  const error = errorOfResponse(answer(401), {
    errorCode: 'login.incorrect',
    message: 'No such user',
  });
  expect(describeError(error)).toBe('Username or password incorrect');
});

test('ER-03 text part: an unknown error says system error, with the request id', () => {
  expect(describeError(new ApiError('no.such.code', 500, { requestId: 'r-3' }))).toBe(
    'System error, try again later (reference r-3)',
  );
  expect(describeError(new ApiError('no.such.code', 500))).toBe('System error, try again later');
  expect(describeError(new Error('a bug'))).toBe('System error, try again later');
});

test('distinguishes offline, a failed connection and a timeout', () => {
  const failedFetch = new TypeError('Failed to fetch');
  expect(errorOfThrown(failedFetch, false).code).toBe('network.offline');
  expect(errorOfThrown(failedFetch, true).code).toBe('network.unstable');
  expect(errorOfThrown(new DOMException('', 'TimeoutError'), true).code).toBe('request.timeout');
  expect(errorOfThrown(failedFetch, true).unreachable).toBe(true);
});

test('exactly two codes end a session', () => {
  const ends = (code: string, status = 401) => new ApiError(code, status).endsSession;
  expect(ends('login.not.session')).toBe(true);
  expect(ends('user.or.token.invalid')).toBe(true);
  expect(ends('login.incorrect')).toBe(false);
  expect(ends('user.or.token.invalid', 403)).toBe(false);
});
