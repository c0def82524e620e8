import { ApiError } from '../i18n/api-error.ts';
// Bodies that only the server can read (JWE: ECDH-ES on P-256 with A256GCM), for whoever logs bodies on the way. It
// adds to TLS and takes its place nowhere: where the browser cannot encrypt, bodies go as they are.
import { toBase64Url } from '../lib/base64url.ts';
import { client, value } from './client.ts';
import type { components } from './schema.d.ts';

type Key = components['schemas']['JweKey'];

/** A body in its envelope. */
export type Sealed = { data: string };

/** What says of a request that its body is in its envelope. */
export type SealedHeader = { Encryption?: 'jwe' };

const curve = { name: 'ECDH', namedCurve: 'P-256' };
const content = 'A256GCM';
const bits = 256;

let known: Promise<Key> | undefined;

/** The server's key, asked for once; again where it could not be had. */
function serverKey(): Promise<Key> {
  known ??= value(client.GET('/wps/session/key')).catch((failure: unknown) => {
    known = undefined;
    throw failure;
  });
  return known;
}

/** Asks for the key before it is needed. Without an answer, sending asks again. */
export function prepareSealing(): void {
  if ('subtle' in crypto) serverKey().catch(() => {});
}

/**
 * Sends a body encrypted, by the function given. A clock that is off by hours is no reason to fail: the server tells
 * its own time, and the body goes once more with that.
 */
export async function sendSealed<B extends object, T>(
  body: B,
  send: (body: B | Sealed, header: SealedHeader) => Promise<T>,
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
    // The installation may have another key by now: the next try asks for it.
    if (thrown.code === 'jwe.invalid') known = undefined;
    const now = Number(thrown.args['now']);
    if (thrown.code !== 'jwe.time' || !Number.isFinite(now)) throw thrown;
    return attempt(now);
  }
}

/** The compact form. The key of the sender and the start value are drawn, unless a test gives them. */
export async function encrypt(
  key: Record<'kty' | 'crv' | 'x' | 'y' | 'kid', string>,
  body: object,
  own?: { pair: CryptoKeyPair; iv: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const { subtle } = crypto;
  const { kty, crv, x, y, kid } = key;
  const pair = own?.pair ?? (await subtle.generateKey(curve, true, ['deriveBits']));
  const iv = own?.iv ?? crypto.getRandomValues(new Uint8Array(12));
  const theirs = await subtle.importKey('jwk', { kty, crv, x, y }, curve, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, pair.privateKey, bits);
  const derived = await subtle.digest('SHA-256', concatKdf(new Uint8Array(shared)));
  const secret = await subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt']);

  const ours = await subtle.exportKey('jwk', pair.publicKey);
  const epk = { kty: ours.kty, crv: ours.crv, x: ours.x, y: ours.y };
  const header = toBase64Url(utf8(JSON.stringify({ alg: 'ECDH-ES', enc: content, kid, epk })));
  const box = await subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: utf8(header), tagLength: 128 },
    secret,
    utf8(JSON.stringify(body)),
  );
  const [text, tag] = [new Uint8Array(box.slice(0, -16)), new Uint8Array(box.slice(-16))];
  // The second part is empty: the secret is agreed upon, not sent.
  return [header, '', toBase64Url(iv), toBase64Url(text), toBase64Url(tag)].join('.');
}

/** What is hashed into the content's key (RFC 7518, 4.6.2): one round gives all of it. */
function concatKdf(shared: Uint8Array): Uint8Array<ArrayBuffer> {
  const name = utf8(content);
  const nobody = word(0);
  return Uint8Array.from([
    ...word(1),
    ...shared,
    ...word(name.length),
    ...name,
    ...nobody,
    ...nobody,
    ...word(bits),
  ]);
}

const word = (number: number) => [0, 0, number >> 8, number & 255];

const utf8 = (text: string) => new TextEncoder().encode(text);
