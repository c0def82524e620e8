// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { isAutoLogin, setAutoLogin } from '../lib/auto-login.ts';
import { createStore, localStore } from '../lib/storage.ts';
import {
  forgetSessionPassword,
  forgetRemembered,
  sessionPassword,
  storeSessionPassword,
  recall,
  remember,
  updateRemembered,
  type Remembered,
} from './remembered-login.ts';
import { clearSession, openSession } from './session.ts';

const login: Remembered = {
  type: 'username',
  username: 'demo88',
  password: 'Mật khẩu 1 😀',
  countryDialingCode: '84',
};
const grant = { token: 'token-1', userName: 'demo88', type: 0, firstTimeLogin: false };

const record = () => JSON.parse(localStorage.getItem('remPass') ?? 'null') as Remembered | null;

beforeEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  clearSession();
});

test('EN-03 remPass part: stores type, name, encrypted password and dialling code, with a secret created once', async () => {
  await remember(login);
  const secret = localStorage.getItem('secret');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(record()).toEqual({ ...login, password: expect.stringMatching(/^[\w-]{40,}$/) });
  expect(localStorage.getItem('remPass')).not.toContain('khẩu');
  expect(isAutoLogin()).toBe(true);
  expect(await recall()).toEqual(login);

  const first = record()?.password;
  await remember(login);
  expect(localStorage.getItem('secret')).toBe(secret);
  // Each encryption has a new IV.
  expect(record()?.password).not.toBe(first);
});

test('a phone login is remembered without its code and without automatic login', async () => {
  await remember({ ...login, type: 'sms', username: '912345678', password: '123456' });
  expect(record()).toEqual({ ...login, type: 'sms', username: '912345678', password: '' });
  expect(isAutoLogin()).toBe(false);
  expect(await recall()).toEqual({ ...login, type: 'sms', username: '912345678', password: '' });
});

test('an insecure page stores no password', async () => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes });
  await remember(login);
  expect(record()).toEqual({ ...login, password: '' });
  expect(isAutoLogin()).toBe(false);
});

test.each([
  ['invalid JSON', 'demo88'],
  ['a list', '[]'],
  ['null', 'null'],
  ['another type', JSON.stringify({ ...login, type: 'firebase' })],
  ['no name', JSON.stringify({ ...login, username: '' })],
  ['a password that is not text', JSON.stringify({ ...login, password: 7 })],
  ['a plain text password', JSON.stringify(login)],
  ['a truncated password', JSON.stringify({ ...login, password: 'AAAA' })],
  ['a too long record', JSON.stringify({ ...login, username: 'x'.repeat(5_000) })],
])('LG-07 record part: %s is deleted silently', async (_, text) => {
  localStorage.setItem('secret', 'A'.repeat(43));
  localStorage.setItem('remPass', text);
  localStorage.setItem('autoLogin', '1');
  expect(await recall()).toBeNull();
  expect(localStorage.getItem('remPass')).toBeNull();
  expect(isAutoLogin()).toBe(false);
});

test('LG-07 record part: a record of another device or of another name is deleted', async () => {
  await remember(login);
  localStorage.setItem('secret', 'A'.repeat(43));
  expect(await recall()).toBeNull();

  await remember(login);
  localStorage.setItem('remPass', JSON.stringify({ ...record(), username: 'other99' }));
  expect(await recall()).toBeNull();

  await remember(login);
  localStorage.removeItem('secret');
  expect(await recall()).toBeNull();
  // The next remembered login replaces a broken secret.
  localStorage.setItem('secret', '%');
  await remember(login);
  expect(await recall()).toEqual(login);
});

test('forgetting deletes the record and the automatic login; switching off deletes only the latter', async () => {
  await remember(login);
  setAutoLogin(false);
  expect(isAutoLogin()).toBe(false);
  expect(await recall()).toEqual(login);
  await remember(login);
  forgetRemembered();
  expect(await recall()).toBeNull();
  expect(localStorage.getItem('autoLogin')).toBe('0');
});

test('remembering fails silently when storage is full or blocked', async () => {
  const blocked = createStore(() => {
    throw new Error('blocked');
  });
  vi.spyOn(localStore, 'set').mockImplementation((key, value) => blocked.set(key, value));
  await remember(login);
  expect(await recall()).toBeNull();
  vi.restoreAllMocks();
});

test('a new password updates the record of the same member only', async () => {
  await remember(login);
  openSession({ ...grant, userName: 'DEMO88' }, 'fairground');
  await updateRemembered('New12345');
  expect(await recall()).toEqual({ ...login, password: 'New12345' });

  openSession({ ...grant, userName: 'other99' }, 'fairground');
  await updateRemembered('Other999');
  expect(await recall()).toEqual({ ...login, password: 'New12345' });

  localStorage.removeItem('remPass');
  await updateRemembered('Other999');
  expect(localStorage.getItem('remPass')).toBeNull();
});

test('the session password is in memory only and ends with its session', () => {
  expect(sessionPassword()).toBeNull();
  storeSessionPassword('Demo1234');
  expect(sessionPassword()).toBeNull();

  openSession(grant, 'fairground');
  storeSessionPassword('Demo1234');
  expect(sessionPassword()).toBe('Demo1234');
  expect(JSON.stringify([localStorage, sessionStorage])).not.toContain('Demo1234');

  openSession({ ...grant, token: 'token-2' }, 'fairground');
  expect(sessionPassword()).toBeNull();
  storeSessionPassword('Demo1234');
  clearSession();
  openSession({ ...grant, token: 'token-2' }, 'fairground');
  expect(sessionPassword()).toBeNull();
  storeSessionPassword('Demo1234');
  forgetSessionPassword();
  expect(sessionPassword()).toBeNull();
});
