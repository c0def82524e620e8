// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import vector from '../../../internal/platform/jwe/testdata/vector.json';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { encrypt } from './sealed.ts';

const { recipient, sender } = vector;
const served = { ...recipient, d: undefined, alg: 'ECDH-ES', use: 'enc' };
const curve = { name: 'ECDH', namedCurve: 'P-256' };

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** Sends by modules made anew, without the key that was asked for before. */
async function freshSender() {
  vi.resetModules();
  const { sendSealed } = await import('./sealed.ts');
  const { client, value } = await import('./client.ts');
  return () =>
    sendSealed(body, (sent, header) =>
      value(client.PUT('/wps/member/password/reset', { body: sent, params: { header } })),
    );
}

async function own() {
  const { d, ...open } = sender;
  return {
    pair: {
      privateKey: await crypto.subtle.importKey('jwk', { ...open, d }, curve, false, [
        'deriveBits',
      ]),
      publicKey: await crypto.subtle.importKey('jwk', open, curve, true, []),
    },
    iv: bytes(vector.iv),
  };
}

/** What the server reads. */
async function decrypt(compact: string): Promise<unknown> {
  const [header = '', , iv = '', text = '', tag = ''] = compact.split('.');
  const { epk, enc } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const { kid: _, ...jwk } = recipient;
  const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['deriveBits']);
  const theirs = await crypto.subtle.importKey('jwk', epk, curve, false, []);
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, key, 256);
  const word = (number: number) => Buffer.from([0, 0, number >> 8, number & 255]);
  const info = [word(enc.length), Buffer.from(enc), word(0), word(0), word(256)];
  const derived = await crypto.subtle.digest(
    'SHA-256',
    Buffer.concat([word(1), Buffer.from(shared), ...info]),
  );
  const secret = await crypto.subtle.importKey('raw', derived, 'AES-GCM', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: bytes(iv), additionalData: Buffer.from(header) },
    secret,
    Buffer.concat([bytes(text), bytes(tag)]),
  );
  return JSON.parse(Buffer.from(plain).toString());
}

const body = { ticket: 't', newPassword: 'qua-do-999', confirmNewPassword: 'qua-do-999' };

const resets = (asked: Request[]) =>
  asked.filter(({ url }) => new URL(url).pathname === '/wps/member/password/reset');

beforeEach(() => {
  vi.unstubAllGlobals();
});

test('a body is encrypted as the server reads it: the vector that both sides know', async () => {
  expect(await encrypt(served, vector.body, await own())).toBe(vector.compact);
});

test('CA-18 set-password goes encrypted, with a nonce and the time, and each time under another key', async () => {
  const send = await freshSender();
  const asked = answerWith({
    'GET /wps/session/key': served,
    'PUT /wps/member/password/reset': {},
  });
  await send();
  await send();
  const [first, second] = resets(asked);
  const again = await second?.json();
  expect(first?.headers.get('Encryption')).toBe('jwe');
  const sent = await first?.json();
  expect(Object.keys(sent)).toEqual(['data']);
  const read = await decrypt(sent.data);
  expect(read).toEqual({ ...body, nonce: expect.any(String), time: expect.any(Number) });
  expect(again.data).not.toBe(sent.data);
  // The key is asked for once.
  expect(asked).toHaveLength(3);
});

test('a clock that is off by a day goes once more with the server’s time, and only once', async () => {
  const send = await freshSender();
  const now = Date.now() + 86_400_000;
  let refusals = 1;
  const asked = answerWith({
    'GET /wps/session/key': served,
    'PUT /wps/member/password/reset': () =>
      refusals-- > 0 ? new Failing(400, 'jwe.time', { args: { now } }) : {},
  });
  await send();
  const sent = await resets(asked)[1]?.json();
  expect(await decrypt(sent.data)).toMatchObject({ ...body, time: now });
  refusals = 9;
  await expect(send()).rejects.toMatchObject({ code: 'jwe.time' });
  expect(resets(asked)).toHaveLength(4);
});

test('a key that could not be had, or did not fit, is asked for again', async () => {
  const send = await freshSender();
  const keys: unknown[] = [new Failing(503, 'system.unavailable'), served, served];
  let answer: unknown = new Failing(400, 'jwe.invalid');
  const asked = answerWith({
    'GET /wps/session/key': () => keys.shift(),
    'PUT /wps/member/password/reset': () => answer,
  });
  await expect(send()).rejects.toMatchObject({ code: 'system.unavailable' });
  await expect(send()).rejects.toMatchObject({ code: 'jwe.invalid' });
  answer = {};
  await send();
  expect(keys).toHaveLength(0);
  expect(resets(asked)).toHaveLength(2);
});

test('where the page may not encrypt, the body goes as it is', async () => {
  const send = await freshSender();
  vi.stubGlobal('crypto', {});
  const asked = answerWith({ 'PUT /wps/member/password/reset': {} });
  await send();
  expect(asked).toHaveLength(1);
  expect(asked[0]?.headers.get('Encryption')).toBeNull();
  expect(await asked[0]?.json()).toEqual(body);
});
