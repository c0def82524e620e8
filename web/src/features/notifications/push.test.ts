// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { localStore } from '../../lib/storage.ts';
import { answerWith, Failing, sentTo } from '../../lib/testing/answers.ts';
import { renewPush, startPush, stopPush } from './push.ts';

const path = '/wps/member/notifications/push';
const keys = { p256dh: 'cA', auth: 'YQ' };
const endpoint = 'https://push.example/1';
const made = {
  endpoint,
  toJSON: () => ({ endpoint, keys }),
  unsubscribe: async () => true,
};

const logIn = (userName: string) =>
  startSession({ token: 't', type: 0, userName, merchantCode: 'demo', firstTimeLogin: false });

beforeEach(() => {
  localStore.clear();
  const registration = {
    pushManager: { subscribe: async () => made, getSubscription: async () => made },
  };
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { ready: Promise.resolve(registration), getRegistration: async () => registration },
  });
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: async () => 'granted',
  });
});

afterEach(() => {
  clearSession();
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
});

test('after the next login the browser is registered again, but not for another member', async () => {
  const requests = answerWith({ [`POST ${path}`]: {} });
  logIn('lan');
  expect(await startPush('AAAA')).toBe(true);
  clearSession();
  logIn('lan');
  expect(await renewPush()).toBe(true);
  expect(sentTo(requests, `POST ${path}`)).toHaveLength(2);
  expect(await sentTo(requests, path)[1]?.json()).toEqual({
    endpoint: 'https://push.example/1',
    ...keys,
  });

  clearSession();
  logIn('minh');
  expect(await renewPush()).toBe(false);
  expect(sentTo(requests, path)).toHaveLength(2);
});

test('a stop that the server does not confirm leaves push on', async () => {
  const stop = `DELETE ${path}`;
  const given: Record<string, unknown> = { [`POST ${path}`]: {} };
  answerWith(given);
  logIn('lan');
  await startPush('AAAA');
  given[stop] = new Failing(503, 'system.unavailable');
  await expect(stopPush()).rejects.toMatchObject({ status: 503 });
  expect(await renewPush()).toBe(true);
  given[stop] = {};
  await stopPush();
  expect(await renewPush()).toBe(false);
});
