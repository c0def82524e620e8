// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearSession, startSession } from '../../api/session.ts';
import { localStore } from '../../lib/storage.ts';
import { answerWith, sentTo } from '../../lib/testing/answers.ts';
import { renewPush, startPush } from './push.ts';

const path = '/wps/member/notifications/push';
const keys = { p256dh: 'cA', auth: 'YQ' };
const made = { toJSON: () => ({ endpoint: 'https://push.example/1', keys }) };

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
  vi.stubGlobal('PushManager', class {});
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
