// The login that a member asked this device to remember, with an encrypted password in local storage. Also the password of the current
// session, which is in memory only.
import { setAutoLogin } from '../lib/auto-login.ts';
import { fromBase64Url, toBase64Url } from '../lib/base64url.ts';
import { localStore } from '../lib/storage.ts';
import { currentSession, useSessionStore } from './session.ts';

/** A remembered login: a username with its password, or a phone number, which needs a new code each time. */
export type Remembered = {
  type: 'username' | 'sms';
  username: string;
  /** Empty if there is none. */
  password: string;
  countryDialingCode: string;
};

const recordKey = 'remPass';
const secretKey = 'secret';
const ivBytes = 12;
/** The maximum length of a valid record. */
const maxRecordLength = 2_000;

/** Stores a login for the next visit. With a password, that visit logs in automatically. */
export async function remember(login: Remembered): Promise<void> {
  const password = login.type === 'username' ? await encrypt(login.password, login.username) : '';
  localStore.set(recordKey, JSON.stringify({ ...login, password }));
  setAutoLogin(password !== '');
}

/** Returns the remembered login. It deletes a record that it cannot read. */
export async function recall(): Promise<Remembered | null> {
  const record = readRecord();
  if (!record) return null;
  try {
    const password = record.password && (await decrypt(record.password, record.username));
    return { ...record, password };
  } catch {
    forgetRemembered();
    return null;
  }
}

export function forgetRemembered(): void {
  localStore.remove(recordKey);
  setAutoLogin(false);
}

/** Forgets the login of one user, after its password was rejected. */
export function forgetRememberedOf(username: string): void {
  if (readRecord()?.username.toLowerCase() === username.toLowerCase()) forgetRemembered();
}

/** Stores the member's new password if their login is remembered. */
export async function updateRemembered(newPassword: string): Promise<void> {
  const record = readRecord();
  const name = currentSession()?.userName;
  if (!record?.password || record.username.toLowerCase() !== name?.toLowerCase()) return;
  const password = await encrypt(newPassword, record.username);
  localStore.set(recordKey, JSON.stringify({ ...record, password }));
}

function readRecord(): Remembered | null {
  const text = localStore.get(recordKey);
  if (text === null) return null;
  const record = text.length <= maxRecordLength ? parse(text) : null;
  if (!record) forgetRemembered();
  return record;
}

function parse(text: string): Remembered | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const { type, username, password, countryDialingCode } = read as Record<string, unknown>;
  if (type !== 'username' && type !== 'sms') return null;
  if (typeof username !== 'string' || username === '') return null;
  if (typeof password !== 'string' || typeof countryDialingCode !== 'string') return null;
  return { type, username, password, countryDialingCode };
}

/** Encrypts a password, bound to the username so that it cannot be moved to another record. Returns '' if encryption is unavailable. */
async function encrypt(password: string, username: string): Promise<string> {
  const key = await deviceKey(true);
  if (!key || password === '') return '';
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const additionalData = new TextEncoder().encode(username);
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    new TextEncoder().encode(password),
  );
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(encrypted)]));
}

async function decrypt(encrypted: string, username: string): Promise<string> {
  const key = await deviceKey(false);
  if (!key) throw new Error('no key');
  const bytes = fromBase64Url(encrypted);
  const iv = bytes.subarray(0, ivBytes);
  const additionalData = new TextEncoder().encode(username);
  const password = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    bytes.subarray(ivBytes),
  );
  return new TextDecoder().decode(password);
}

/** Returns this device's key, or null on an insecure page, where browsers offer no encryption. */
async function deviceKey(create: boolean): Promise<CryptoKey | null> {
  if (!('subtle' in crypto)) return null;
  let bytes = readSecret();
  if (!bytes && create) {
    bytes = crypto.getRandomValues(new Uint8Array(32));
    localStore.set(secretKey, toBase64Url(bytes));
  }
  return bytes && crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function readSecret(): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64Url(localStore.get(secretKey) ?? '');
    return bytes.length === 32 ? bytes : null;
  } catch {
    return null;
  }
}

let stored: { token: string; password: string } | null = null;

/** Keeps the password of the current session in memory until the session ends. */
export function storeSessionPassword(password: string): void {
  const token = currentSession()?.token;
  if (token === undefined || password === '') return;
  stored = { token, password };
  const stop = useSessionStore.subscribe(({ session }) => {
    if (session?.token === token) return;
    stop();
    if (stored?.token === token) stored = null;
  });
}

/** Returns the password of this session; null after a reload or another kind of login. */
export function sessionPassword(): string | null {
  return stored && stored.token === currentSession()?.token ? stored.password : null;
}

export function forgetSessionPassword(): void {
  stored = null;
}
