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
let person: Mock<(widget: Widget) => Promise<string | null>>;

beforeEach(() => {
  proof = new PhoneProof();
  person = vi.fn(async () => 'a person');
});

test('RG-09 ST-03 external part: a code is sent, changed for a token once, and another one waits a minute', async () => {
  const bodies: unknown[] = [];
  const asked = answerWith({
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
  expect(await proof.send(by, number, person)).toEqual({ expiredMinutes: 1 });
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(bodies).toEqual([
    { phoneNumber: number, recaptchaToken: 'a person' },
    { sessionInfo: 'session-1', code: '123456' },
  ]);
  expect(person).toHaveBeenCalledExactlyOnceWith({
    kind: 'recaptcha',
    script: by.script,
    id: 'site-1',
  });
  expect(asked[0]?.url).toBe('https://codes.example/v1/recaptchaParams?key=key%201');
  expect(asked[1]?.url).toBe('https://codes.example/v1/accounts:sendVerificationCode?key=key%201');
  // Nothing of this site's own goes there.
  expect(asked[1]?.headers.get('Authorization')).toBeNull();
  proof.forget();
  expect(await proof.token(by, number, '123456')).toBe('token-1');
  expect(asked).toHaveLength(4);
});

test.each([
  ['INVALID_CODE', 'verification.incorrect'],
  ['SESSION_EXPIRED', 'verification.expired'],
  ['TOO_MANY_ATTEMPTS_TRY_LATER : blocked', 'rate.limited'],
  ['INVALID_PHONE_NUMBER : too short', 'member.mobile_format'],
  ['CAPTCHA_CHECK_FAILED', 'verification.unavailable'],
])('%s is told as %s', async (message, code) => {
  answerWith({ [paramsCall]: params, [sendCall]: refusal(message) });
  await expect(proof.send(by, number, person)).rejects.toMatchObject({ code });
});

test('what is no answer of its kind is no code', async () => {
  answerWith({ [paramsCall]: params, [sendCall]: new Response('<html>') });
  await expect(proof.send(by, number, person)).rejects.toMatchObject({
    code: 'verification.unavailable',
  });
  answerWith({});
  await expect(proof.send(by, number, person)).rejects.toMatchObject({ code: 'network.unstable' });
});

test('a code that was sent to another number proves nothing', async () => {
  answerWith({
    [paramsCall]: params,
    [sendCall]: () => Response.json({ sessionInfo: 'session-1' }),
  });
  await proof.send(by, number, person);
  await expect(proof.token(by, '+84987654321', '123456')).rejects.toMatchObject({
    code: 'verification.expired',
  });
});

test('where nobody shows to be a person, no code is asked for', async () => {
  const asked = answerWith({ [paramsCall]: params });
  person.mockResolvedValue(null);
  expect(await proof.send(by, number, person)).toBeNull();
  expect(asked).toHaveLength(1);
  answerWith({ [paramsCall]: () => Response.json({}) });
  await expect(proof.send(by, number, person)).rejects.toMatchObject({
    code: 'verification.unavailable',
  });
});
