import { ApiError } from '../i18n/api-error.ts';
// Encrypts request bodies (JWE: ECDH-ES on P-256 with A256GCM), so that proxies that log bodies cannot read them. It complements TLS and does
// not replace it: browsers without encryption send plain bodies.
import { toBase64Url } from '../lib/base64url.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

type Key = components['schemas']['JweKey'];

export type EncryptedBody = { data: string };

/** The header of a request with an encrypted body. */
export type EncryptionHeader = { Encryption?: 'jwe' };

const curve = { name: 'ECDH', namedCurve: 'P-256' };
const contentEncryption = 'A256GCM';
const keyBits = 256;

let keyRequest: Promise<Key> | undefined;

/** Returns the server's key. It requests the key once, and again after a failure. */
function serverKey(): Promise<Key> {
  keyRequest ??= value(client.GET('/wps/session/key')).catch((failure: unknown) => {
    keyRequest = undefined;
    throw failure;
  });
  return keyRequest;
}

/** Fetches the key before it is needed. A failure is retried when a body is sent. */
export function prefetchServerKey(): void {
  if ('subtle' in crypto) serverKey().catch(() => {});
}

/**
 * Encrypts a body and passes it to `send`. If the device's clock is wrong, the server returns its time and the body is sent once more
 * with it.
 */
export async function sendEncrypted<B extends object, T>(
  body: B,
  send: (body: B | EncryptedBody, header: EncryptionHeader) => Promise<T>,
): Promise<T> {
  // Browsers encrypt on secure pages only.
  if (!globalThis.crypto.subtle) return send(body, {});
  const attempt = async (time: number) => {
    const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
    const data = await encrypt(await serverKey(), { ...body, nonce, time });
    return send({ data }, { Encryption: 'jwe' });
  };
  try {
    return await attempt(Date.now());
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    // The server may have a new key: fetch it for the next attempt.
    if (thrown.code === 'jwe.invalid') keyRequest = undefined;
    const now = Number(thrown.args['now']);
    if (thrown.code !== 'jwe.time' || !Number.isFinite(now)) throw thrown;
    return attempt(now);
  }
}

/** Returns the compact serialization. Tests pass `fixed` to choose the sender's key pair and the IV. */
export async function encrypt(
  key: Record<'kty' | 'crv' | 'x' | 'y' | 'kid', string>,
  body: object,
  fixed?: { pair: CryptoKeyPair; iv: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const { subtle } = crypto;
  const { kty, crv, x, y, kid } = key;
  const pair = fixed?.pair ?? (await subtle.generateKey(curve, true, ['deriveBits']));
  const iv = fixed?.iv ?? crypto.getRandomValues(new Uint8Array(12));
  const theirs = await subtle.importKey('jwk', { kty, crv, x, y }, curve, false, []);
  const shared = await subtle.deriveBits(
    { name: 'ECDH', public: theirs },
    pair.privateKey,
    keyBits,
  );
  const derived = await subtle.digest('SHA-256', concatKdf(new Uint8Array(shared)));
  const secret = await subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt']);

  const ours = await subtle.exportKey('jwk', pair.publicKey);
  const epk = { kty: ours.kty, crv: ours.crv, x: ours.x, y: ours.y };
  const header = toBase64Url(
    utf8(JSON.stringify({ alg: 'ECDH-ES', enc: contentEncryption, kid, epk })),
  );
  const encrypted = await subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: utf8(header), tagLength: 128 },
    secret,
    utf8(JSON.stringify(body)),
  );
  const [text, tag] = [
    new Uint8Array(encrypted.slice(0, -16)),
    new Uint8Array(encrypted.slice(-16)),
  ];
  // The second part is empty: ECDH-ES agrees on the key instead of sending it.
  return [header, '', toBase64Url(iv), toBase64Url(text), toBase64Url(tag)].join('.');
}

/** Returns the input of the one Concat KDF round (RFC 7518, 4.6.2). */
function concatKdf(shared: Uint8Array): Uint8Array<ArrayBuffer> {
  const algorithm = utf8(contentEncryption);
  const emptyPartyInfo = uint32(0);
  return Uint8Array.from([
    ...uint32(1),
    ...shared,
    ...uint32(algorithm.length),
    ...algorithm,
    ...emptyPartyInfo,
    ...emptyPartyInfo,
    ...uint32(keyBits),
  ]);
}

const uint32 = (number: number) => [0, 0, number >> 8, number & 255];

const utf8 = (text: string) => new TextEncoder().encode(text);
