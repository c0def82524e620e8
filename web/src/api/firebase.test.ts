// @vitest-environment jsdom
import { beforeEach, expect, test, vi, type Mock } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import type { Widget } from '../lib/widget/messages.ts';
import { PhoneProof } from './firebase.ts';

const by = {
  apiKey: 'key 1',
  apiUrl: 'https://codes.example',
  script: 'https://person.example/api.js',
};
const number = '+84912345678';
const paramsCall = 'GET /v1/recaptchaParams';
const sendCall = 'POST /v1/accounts:sendVerificationCode';
const tokenCall = 'POST /v1/accounts:signInWithPhoneNumber';

const refusal = (message: string) =>
  Response.json({ error: { code: 400, message } }, { status: 400 });

const params = () => Response.json({ recaptchaSiteKey: 'site-1' });

let proof: PhoneProof;
let checkHuman: Mock<(widget: Widget) => Promise<string | null>>;

beforeEach(() => {
  proof = new PhoneProof();
  checkHuman = vi.fn(async () => 'a person');
});

test('RG-09 ST-03 external part: sends a code, exchanges it for a token once, and waits a minute before another', async () => {
  const bodies: unknown[] = [];
  const requests = answerWith({
    [paramsCall]: params,
    [sendCall]: async (request: Request) => {
      bodies.push(await request.json());
      return Response.json({ sessionInfo: 'session-1' });
    },
    [tokenCall]: async (request: Request) => {
      bodies.push(await request.json());
      return Response.json({ idToken: 'token-1', phoneNumber: number });
    },
  });
  expect(await proof.send(by, number, checkHuman)).toEqual({ expiredMinutes: 1 });
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(bodies).toEqual([
    { phoneNumber: number, recaptchaToken: 'a person' },
    { sessionInfo: 'session-1', code: '123456' },
  ]);
  expect(checkHuman).toHaveBeenCalledExactlyOnceWith({
    kind: 'recaptcha',
    script: by.script,
    id: 'site-1',
  });
  expect(requests[0]?.url).toBe('https://codes.example/v1/recaptchaParams?key=key%201');
  expect(requests[1]?.url).toBe(
    'https://codes.example/v1/accounts:sendVerificationCode?key=key%201',
  );
  // Firebase does not get this site's token.
  expect(requests[1]?.headers.get('Authorization')).toBeNull();
  proof.forget();
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(requests).toHaveLength(4);
});

test.each([
  ['INVALID_CODE', 'verification.incorrect'],
  ['SESSION_EXPIRED', 'verification.expired'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER : blocked', 'rate.limited'],
  ['INVALID_PHONE_NUMBER : too short', 'member.mobile_format'],
  ['CAPTCHA_CHECK_FAILED', 'verification.unavailable'],
])('the Firebase error %s becomes %s', async (message, code) => {
  answerWith({ [paramsCall]: params, [sendCall]: refusal(message) });
  await expect(proof.send(by, number, checkHuman)).rejects.toMatchObject({ code });
});

test('an unreadable response or a network error is reported', async () => {
  answerWith({ [paramsCall]: params, [sendCall]: new Response('<html>') });
  await expect(proof.send(by, number, checkHuman)).rejects.toMatchObject({
    code: 'verification.unavailable',
  });
  answerWith({});
  await expect(proof.send(by, number, checkHuman)).rejects.toMatchObject({
    code: 'network.unstable',
  });
});

test('rejects a code that was sent to another number', async () => {
  answerWith({
    [paramsCall]: params,
    [sendCall]: () => Response.json({ sessionInfo: 'session-1' }),
  });
  await proof.send(by, number, checkHuman);
  await expect(proof.token(by, '+84987654321', '123456')).rejects.toMatchObject({
    code: 'verification.expired',
  });
});

test('sends no code without a human check', async () => {
  const requests = answerWith({ [paramsCall]: params });
  checkHuman.mockResolvedValue(null);
  expect(await proof.send(by, number, checkHuman)).toBeNull();
  expect(requests).toHaveLength(1);
  answerWith({ [paramsCall]: () => Response.json({}) });
  await expect(proof.send(by, number, checkHuman)).rejects.toMatchObject({
    code: 'verification.unavailable',
  });
});
