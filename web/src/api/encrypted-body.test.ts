// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import vector from '../../../internal/platform/jwe/testdata/vector.json';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { encrypt } from './encrypted-body.ts';

const { recipient, sender } = vector;
const served = { ...recipient, d: undefined, alg: 'ECDH-ES', use: 'enc' };
const curve = { name: 'ECDH', namedCurve: 'P-256' };

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** Loads the modules again, so that no key is cached. */
async function freshSender() {
  vi.resetModules();
  const { sendEncrypted } = await import('./encrypted-body.ts');
  const { client, value } = await import('./client.ts');
  return () =>
    sendEncrypted(body, (sent, header) =>
      value(client.PUT('/wps/member/password/reset', { body: sent, params: { header } })),
    );
}

async function senderKeys() {
  const { d, ...publicKey } = sender;
  return {
    pair: {
      privateKey: await crypto.subtle.importKey('jwk', { ...publicKey, d }, curve, false, [
        'deriveBits',
      ]),
      publicKey: await crypto.subtle.importKey('jwk', publicKey, curve, true, []),
    },
    iv: bytes(vector.iv),
  };
}

async function decrypt(compact: string): Promise<unknown> {
  const [header = '', , iv = '', text = '', tag = ''] = compact.split('.');
  const { epk, enc } = JSON.parse(Buffer.from(header, 'base64url').toString());
  const { kid: _, ...jwk } = recipient;
  const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['deriveBits']);
  const theirs = await crypto.subtle.importKey('jwk', epk, curve, false, []);
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, key, 256);
  const uint32 = (number: number) => Buffer.from([0, 0, number >> 8, number & 255]);
  const info = [uint32(enc.length), Buffer.from(enc), uint32(0), uint32(0), uint32(256)];
  const derived = await crypto.subtle.digest(
    'SHA-256',
    Buffer.concat([uint32(1), Buffer.from(shared), ...info]),
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

const resets = (requests: Request[]) =>
  requests.filter(({ url }) => new URL(url).pathname === '/wps/member/password/reset');

beforeEach(() => {
  vi.unstubAllGlobals();
});

test('encrypts the test vector that the server also uses', async () => {
  expect(await encrypt(served, vector.body, await senderKeys())).toBe(vector.compact);
});

test('CA-18 set-password is encrypted with a nonce and the time, with another key each time', async () => {
  const send = await freshSender();
  const requests = answerWith({
    'GET /wps/session/key': served,
    'PUT /wps/member/password/reset': {},
  });
  await send();
  await send();
  const [first, second] = resets(requests);
  const secondBody = await second?.json();
  expect(first?.headers.get('Encryption')).toBe('jwe');
  const sent = await first?.json();
  expect(Object.keys(sent)).toEqual(['data']);
  const read = await decrypt(sent.data);
  expect(read).toEqual({ ...body, nonce: expect.any(String), time: expect.any(Number) });
  expect(secondBody.data).not.toBe(sent.data);
  // The key is requested once.
  expect(requests).toHaveLength(3);
});

test('with a wrong clock the body is sent once more with the server’s time', async () => {
  const send = await freshSender();
  const now = Date.now() + 86_400_000;
  let refusals = 1;
  const requests = answerWith({
    'GET /wps/session/key': served,
    'PUT /wps/member/password/reset': () =>
      refusals-- > 0 ? new Failing(400, 'jwe.time', { args: { now } }) : {},
  });
  await send();
  const sent = await resets(requests)[1]?.json();
  expect(await decrypt(sent.data)).toMatchObject({ ...body, time: now });
  refusals = 9;
  await expect(send()).rejects.toMatchObject({ code: 'jwe.time' });
  expect(resets(requests)).toHaveLength(4);
});

test('a key that failed to load or was rejected is requested again', async () => {
  const send = await freshSender();
  const keys: unknown[] = [new Failing(503, 'system.unavailable'), served, served];
  let answer: unknown = new Failing(400, 'jwe.invalid');
  const requests = answerWith({
    'GET /wps/session/key': () => keys.shift(),
    'PUT /wps/member/password/reset': () => answer,
  });
  await expect(send()).rejects.toMatchObject({ code: 'system.unavailable' });
  await expect(send()).rejects.toMatchObject({ code: 'jwe.invalid' });
  answer = {};
  await send();
  expect(keys).toHaveLength(0);
  expect(resets(requests)).toHaveLength(2);
});

test('an insecure page sends the plain body', async () => {
  const send = await freshSender();
  vi.stubGlobal('crypto', {});
  const requests = answerWith({ 'PUT /wps/member/password/reset': {} });
  await send();
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers.get('Encryption')).toBeNull();
  expect(await requests[0]?.json()).toEqual(body);
});
