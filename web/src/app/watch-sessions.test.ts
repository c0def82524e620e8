// @vitest-environment jsdom
import type { MessageDescriptor } from '@lingui/core';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { announcementsQuery } from '../api/content.ts';
import { jackpotQuery, type Jackpot } from '../api/jackpot.ts';
import { memberQuery } from '../api/member.ts';
import { clearSession, currentSession, setRenewing, startSession } from '../api/session.ts';
import { settingsQuery, statusQuery, type Settings, type Status } from '../api/system.ts';
import { walletQuery, type Wallet } from '../api/wallet.ts';
import { loadScreenMessages } from '../i18n/runtime.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { settings } from '../lib/testing/fixtures.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { keepAliveMs } from './session-connection.ts';
import { watchSessions } from './watch-sessions.ts';

const wallet: Wallet = {
  total: '1000',
  currency: 'VND',
  symbol: '₫',
  accounts: [{ kind: 'cash', currency: 'VND', balance: '1000', version: 1 }],
};

let cache: QueryClient;
let stop: () => void;
let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
let requests: Request[];

const logIn = (token: string) =>
  startSession({
    token,
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });

beforeEach(() => {
  vi.useFakeTimers();
  stream = undefined;
  clearSession();
  cache = new QueryClient();
  requests = answerWith({
    'GET /wps/session/touch': {},
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/relay/MCSFE_getListAnnouncements': [],
    'GET /wps/events': () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          stream = controller;
        },
      });
      return new Response(body);
    },
  });
  stop = watchSessions(cache);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Allows for a slow machine. */
const slowMachine = { timeout: 60_000 };

/** Sends text on the stream and waits until the app has read it. */
async function send(text: string) {
  await vi.waitFor(() => expect(stream).toBeDefined(), slowMachine);
  const room = stream?.desiredSize;
  stream?.enqueue(new TextEncoder().encode(text));
  await vi.waitFor(() => expect(stream?.desiredSize).toBe(room), slowMachine);
  await vi.advanceTimersByTimeAsync(10);
}

const streams = () => requests.filter(({ url }) => url.endsWith('/wps/events'));

test('when the site closes, the status is reloaded and the session stays', async () => {
  cache.setQueryData(statusQuery.queryKey, { state: 'normal' } as Status);
  logIn('token-1');
  await send('event: closed\ndata: {"errorCode":"system.maintenance"}\n\n');
  expect(cache.getQueryState(statusQuery.queryKey)?.isInvalidated).toBe(true);
  expect(currentSession()?.token).toBe('token-1');
});

test('a visitor has no stream; a session opens one with its token', async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect(streams()).toHaveLength(0);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  expect(streams().map(({ headers }) => headers.get('Authorization'))).toEqual(['token-1']);
});

test('a logout while the connection’s code loads opens no stream', async () => {
  logIn('token-1');
  clearSession();
  await vi.advanceTimersByTimeAsync(10);
  expect(streams()).toHaveLength(0);
});

test('a failed load of the connection’s code is retried', async () => {
  stop();
  let attempts = 0;
  stop = watchSessions(cache, () => {
    attempts += 1;
    return attempts === 1
      ? Promise.reject(new Error('offline'))
      : import('./session-connection.ts');
  });
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams()).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(streams()).toHaveLength(1);
});

test('PP-01 client part: the balance follows the stream at once, without a request; older events are ignored', async () => {
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  cache.setQueryData(walletQuery.queryKey, wallet);
  const balance = (amount: number, version: number) =>
    `event: balance\ndata: {"kind":"cash","currency":"VND","balance":${amount},"version":${version}}\n\n`;
  const [calls, before] = [requests.length, Date.now()];
  await send(balance(2500, 3) + balance(9, 2));
  expect(cache.getQueryData(walletQuery.queryKey)?.total).toBe('2500');
  // Time is faked, so this is the time that the app itself waited.
  expect(Date.now() - before).toBeLessThan(1000);
  expect(requests).toHaveLength(calls);
});

test('PP-13 a jackpot win is shown at once and until it is dismissed, with a link to its proof', async () => {
  // Load the messages and the code before the event.
  await Promise.all([import('../features/jackpot/win-toast.ts'), loadScreenMessages('jackpot')]);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  cache.setQueryData(settingsQuery.queryKey, settings as unknown as Settings);
  cache.setQueryData(jackpotQuery.queryKey, { amount: 1 } as Jackpot);
  await send(
    'event: jackpot.won\ndata: {"amount":5700000543,"currency":"VND","series":1,"nonce":2}\n\n',
  );
  expect(cache.getQueryState(jackpotQuery.queryKey)?.isInvalidated).toBe(true);
  await vi.waitFor(
    () => expect(useToastStore.getState().current?.persistent).toBe(true),
    slowMachine,
  );
  const { current } = useToastStore.getState();
  const text = current?.text as MessageDescriptor | undefined;
  expect(String(text?.values?.amount).replaceAll(/\D/g, '')).toBe('5700000543');
  current?.action?.onPress();
  expect(location.pathname + location.search).toBe('/m/fairness?currency=VND&series=1&draw=2');
  // Invalid events show nothing.
  toast.hide();
  await send('event: jackpot.won\ndata: {"amount":null}\n\nevent: jackpot.won\ndata: ?\n\n');
  expect(useToastStore.getState().current).toBeNull();
});

test('a session that the server ends also ends here after a short delay', async () => {
  logIn('token-1');
  await send('event: session\ndata: {"state":"ended"}\n\n');
  expect(currentSession()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(currentSession()).toBeNull();
});

test('a keep-alive is sent every 180 seconds until the session ends', async () => {
  const touches = () => requests.filter(({ url }) => url.endsWith('/touch')).length;
  expect(keepAliveMs).toBe(180_000);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(keepAliveMs * 2 + 10);
  expect(touches()).toBe(2);
  clearSession();
  await vi.advanceTimersByTimeAsync(keepAliveMs * 2);
  expect(touches()).toBe(2);
});

test('the member’s data is dropped when the session ends or changes', async () => {
  logIn('token-1');
  cache.setQueryData(walletQuery.queryKey, wallet);
  const who = { id: '7', account: 'demo88', name: 'Minh Anh', type: 0 };
  const info = { ...who, vip: 'VIP 3', avatar: '', affiliateCode: undefined };
  cache.setQueryData(memberQuery.queryKey, info);
  cache.setQueryData(['games'], ['stays']);
  logIn('token-2');
  await vi.advanceTimersByTimeAsync(10);
  expect(cache.getQueryData(walletQuery.queryKey)).toBeUndefined();
  expect(cache.getQueryData(memberQuery.queryKey)).toBeUndefined();
  expect(cache.getQueryData(['games'])).toEqual(['stays']);
});

test('queries that visitors may see are reloaded without the token when the session ends', async () => {
  logIn('token-1');
  const observer = new QueryObserver(cache, announcementsQuery('vi'));
  const unsubscribe = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  const tokens = () =>
    requests
      .filter(({ url }) => url.includes('getListAnnouncements'))
      .map(({ headers }) => headers.get('Authorization'));
  const before = tokens().length;
  clearSession();
  expect(observer.getCurrentResult().data).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10);
  expect(tokens().slice(before)).toEqual([null]);
  expect(observer.getCurrentResult().data).toEqual([]);
  unsubscribe();
});

const renewals = () => requests.filter(({ method }) => method === 'PUT');

test('the token is renewed once after the device slept', async () => {
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(keepAliveMs + 1_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(renewals()).toHaveLength(0);
  // The clock advances while no timer runs.
  vi.setSystemTime(Date.now() + 30 * 60_000);
  document.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(renewals()).toHaveLength(1), slowMachine);
  expect(new URL(renewals()[0]?.url ?? '').pathname).toBe('/wps/session/renew');
});

test('a session that was ended on purpose disables the automatic login', async () => {
  localStorage.setItem('autoLogin', '1');
  logIn('token-1');
  await send('event: session\ndata: {"state":"ended"}\n\n');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(currentSession()).toBeNull();
  expect(localStorage.getItem('autoLogin')).toBe('0');
});

test('an end event for a token that is being renewed does not end the session', async () => {
  localStorage.setItem('autoLogin', '1');
  logIn('token-1');
  setRenewing('token-1');
  await send('event: session\ndata: {"state":"ended"}\n\n');
  await vi.advanceTimersByTimeAsync(1_000);
  setRenewing(undefined);
  expect(currentSession()?.token).toBe('token-1');
  expect(localStorage.getItem('autoLogin')).toBe('1');
});
