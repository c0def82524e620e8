// What a member asked this device to remember of a login, and the password that this page was logged in with. The
// first lies in local storage, its password encrypted; the second lives in memory and goes with the session.
import { setAutoLogin } from '../lib/auto-login.ts';
import { fromBase64Url, toBase64Url } from '../lib/base64url.ts';
import { localStore } from '../lib/storage.ts';
import { currentSession, useSessionStore } from './session.ts';

/** A way in that can be gone again: by name with its password, or by a number, which takes a new code each time. */
export type Remembered = {
  type: 'username' | 'sms';
  username: string;
  /** Empty where there is none to remember. */
  password: string;
  countryDialingCode: string;
};

const recordKey = 'remPass';
const secretKey = 'secret';
const ivBytes = 12;
/** More than any record has; what is longer was not written here. */
const longest = 2_000;

/** Keeps a login for the next visit, which then logs in by itself where it can. */
export async function remember(login: Remembered): Promise<void> {
  const password = login.type === 'username' ? await seal(login.password, login.username) : '';
  localStore.set(recordKey, JSON.stringify({ ...login, password }));
  setAutoLogin(password !== '');
}

/** What was remembered, if anything was. A record that cannot be read is dropped: nobody could ever use it. */
export async function recall(): Promise<Remembered | null> {
  const record = readRecord();
  if (!record) return null;
  try {
    const password = record.password && (await unseal(record.password, record.username));
    return { ...record, password };
  } catch {
    forgetRemembered();
    return null;
  }
}

/** Forgets the login, and no longer logs in by itself. */
export function forgetRemembered(): void {
  localStore.remove(recordKey);
  setAutoLogin(false);
}

/** Forgets the login if it is this one's: its password is not good any more. */
export function forgetRememberedOf(username: string): void {
  if (readRecord()?.username.toLowerCase() === username.toLowerCase()) forgetRemembered();
}

/** The member has a new password: what was remembered for this member follows. */
export async function updateRemembered(newPassword: string): Promise<void> {
  const record = readRecord();
  const name = currentSession()?.userName;
  if (!record?.password || record.username.toLowerCase() !== name?.toLowerCase()) return;
  const password = await seal(newPassword, record.username);
  localStore.set(recordKey, JSON.stringify({ ...record, password }));
}

function readRecord(): Remembered | null {
  const text = localStore.get(recordKey);
  if (text === null) return null;
  const record = text.length <= longest ? parse(text) : null;
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

/** Bound to the name, so that a record put together from two opens for none. Empty where nothing can be encrypted. */
async function seal(password: string, username: string): Promise<string> {
  const key = await secret(true);
  if (!key || password === '') return '';
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const additionalData = new TextEncoder().encode(username);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    new TextEncoder().encode(password),
  );
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

async function unseal(sealed: string, username: string): Promise<string> {
  const key = await secret(false);
  if (!key) throw new Error('no key');
  const bytes = fromBase64Url(sealed);
  const iv = bytes.subarray(0, ivBytes);
  const additionalData = new TextEncoder().encode(username);
  const password = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    bytes.subarray(ivBytes),
  );
  return new TextDecoder().decode(password);
}

/** This device's key, made once. Browsers have no encryption to offer where the page itself came unprotected. */
async function secret(make: boolean): Promise<CryptoKey | null> {
  if (!('subtle' in crypto)) return null;
  let bytes = keptSecret();
  if (!bytes && make) {
    bytes = crypto.getRandomValues(new Uint8Array(32));
    localStore.set(secretKey, toBase64Url(bytes));
  }
  return bytes && crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function keptSecret(): Uint8Array<ArrayBuffer> | null {
  try {
    const bytes = fromBase64Url(localStore.get(secretKey) ?? '');
    return bytes.length === 32 ? bytes : null;
  } catch {
    return null;
  }
}

let stored: { token: string; password: string } | null = null;

/** Keeps the password that the session was just opened with, in memory and for as long as that session lasts. */
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

/** The password that this page was logged in with; null after a reload, and where the way in was another one. */
export function sessionPassword(): string | null {
  return stored && stored.token === currentSession()?.token ? stored.password : null;
}

export function forgetSessionPassword(): void {
  stored = null;
}
