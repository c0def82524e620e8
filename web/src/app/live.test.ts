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
import { screenMessages } from '../i18n/runtime.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { settings } from '../lib/testing/fixtures.ts';
import { toast, useToastStore } from '../ui/toastStore.ts';
import { followSessions } from './live.ts';
import { touchEvery } from './session-connection.ts';

const wallet: Wallet = {
  total: '1000',
  currency: 'VND',
  symbol: '₫',
  accounts: [{ kind: 'cash', currency: 'VND', balance: '1000', version: 1 }],
};

let cache: QueryClient;
let stop: () => void;
let line: ReadableStreamDefaultController<Uint8Array> | undefined;
let asked: Request[];

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
  line = undefined;
  clearSession();
  cache = new QueryClient();
  asked = answerWith({
    'GET /wps/session/touch': {},
    'GET /wps/system/settings/consolidated': settings,
    'GET /wps/relay/MCSFE_getListAnnouncements': [],
    'GET /wps/events': () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          line = controller;
        },
      });
      return new Response(body);
    },
  });
  stop = followSessions(cache);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** A busy machine is slow, not wrong. */
const patient = { timeout: 60_000 };

/** Says something on the stream, once it stands, and lets it be heard. */
async function say(text: string) {
  await vi.waitFor(() => expect(line).toBeDefined(), patient);
  const room = line?.desiredSize;
  line?.enqueue(new TextEncoder().encode(text));
  await vi.waitFor(() => expect(line?.desiredSize).toBe(room), patient);
  await vi.advanceTimersByTimeAsync(10);
}

const streams = () => asked.filter(({ url }) => url.endsWith('/wps/events'));

test('a site that closes is seen at once: its status is asked for, and the line tried again', async () => {
  cache.setQueryData(statusQuery.queryKey, { state: 'normal' } as Status);
  logIn('token-1');
  await say('event: closed\ndata: {"errorCode":"system.maintenance"}\n\n');
  expect(cache.getQueryState(statusQuery.queryKey)?.isInvalidated).toBe(true);
  expect(currentSession()?.token).toBe('token-1');
});

test('a visitor has no stream; a session opens one, with its token', async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect(streams()).toHaveLength(0);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  expect(streams().map(({ headers }) => headers.get('Authorization'))).toEqual(['token-1']);
});

test('whoever logs out while the line’s code is on its way gets no stream', async () => {
  logIn('token-1');
  clearSession();
  await vi.advanceTimersByTimeAsync(10);
  expect(streams()).toHaveLength(0);
});

test('a line whose code could not be had is begun again', async () => {
  stop();
  let tries = 0;
  stop = followSessions(cache, () => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('offline')) : import('./session-connection.ts');
  });
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(streams()).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(streams()).toHaveLength(1);
});

test('PP-01 client part: the balance follows the stream at once, without a call; older news is passed over', async () => {
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  cache.setQueryData(walletQuery.queryKey, wallet);
  const balance = (amount: number, version: number) =>
    `event: balance\ndata: {"kind":"cash","currency":"VND","balance":${amount},"version":${version}}\n\n`;
  const [calls, before] = [asked.length, Date.now()];
  await say(balance(2500, 3) + balance(9, 2));
  expect(cache.getQueryData(walletQuery.queryKey)?.total).toBe('2500');
  // Time is the test's: what passed of it is what the page itself waited for.
  expect(Date.now() - before).toBeLessThan(1000);
  expect(asked).toHaveLength(calls);
});

test('PP-13 whoever wins the jackpot is told at once and until they have seen it, with the way to its proof', async () => {
  // The words and the code are there, so that nothing but the news is waited for.
  await Promise.all([import('../features/jackpot/win-toast.ts'), screenMessages('jackpot')]);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  cache.setQueryData(settingsQuery.queryKey, settings as unknown as Settings);
  cache.setQueryData(jackpotQuery.queryKey, { amount: 1 } as Jackpot);
  await say(
    'event: jackpot.won\ndata: {"amount":5700000543,"currency":"VND","series":1,"nonce":2}\n\n',
  );
  expect(cache.getQueryState(jackpotQuery.queryKey)?.isInvalidated).toBe(true);
  await vi.waitFor(() => expect(useToastStore.getState().current?.persistent).toBe(true), patient);
  const { current } = useToastStore.getState();
  const text = current?.text as MessageDescriptor | undefined;
  expect(String(text?.values?.amount).replaceAll(/\D/g, '')).toBe('5700000543');
  current?.action?.onPress();
  expect(location.pathname + location.search).toBe('/m/fairness?currency=VND&series=1&draw=2');
  // What cannot be read says nothing.
  toast.hide();
  await say('event: jackpot.won\ndata: {"amount":null}\n\nevent: jackpot.won\ndata: ?\n\n');
  expect(useToastStore.getState().current).toBeNull();
});

test('a session that the server ends is over, a moment later', async () => {
  logIn('token-1');
  await say('event: session\ndata: {"state":"ended"}\n\n');
  expect(currentSession()).not.toBeNull();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(currentSession()).toBeNull();
});

test('the session is touched every 180 seconds, and no more after it is gone', async () => {
  const touches = () => asked.filter(({ url }) => url.endsWith('/touch')).length;
  expect(touchEvery).toBe(180_000);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(touchEvery * 2 + 10);
  expect(touches()).toBe(2);
  clearSession();
  await vi.advanceTimersByTimeAsync(touchEvery * 2);
  expect(touches()).toBe(2);
});

test('what belonged to one member is gone when the session goes or changes', async () => {
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

test('what a visitor sees too is asked for anew when the session goes, without its token', async () => {
  logIn('token-1');
  const observer = new QueryObserver(cache, announcementsQuery('vi'));
  const unsubscribe = observer.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  const tokens = () =>
    asked
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

const renewals = () => asked.filter(({ method }) => method === 'PUT');

test('after a sleep the token is changed for a new one, once', async () => {
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(touchEvery + 1_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(renewals()).toHaveLength(0);
  // The clock goes on while nothing runs.
  vi.setSystemTime(Date.now() + 30 * 60_000);
  document.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(renewals()).toHaveLength(1), patient);
  expect(new URL(renewals()[0]?.url ?? '').pathname).toBe('/wps/session/renew');
});

test('a session that somebody has ended does not begin again by itself; one that ran out may', async () => {
  localStorage.setItem('autoLogin', '1');
  logIn('token-1');
  await say('event: session\ndata: {"state":"ended"}\n\n');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(currentSession()).toBeNull();
  expect(localStorage.getItem('autoLogin')).toBe('0');
});

test('a session whose token is being changed has not ended, whatever the stream says of the old one', async () => {
  localStorage.setItem('autoLogin', '1');
  logIn('token-1');
  setRenewing('token-1');
  await say('event: session\ndata: {"state":"ended"}\n\n');
  await vi.advanceTimersByTimeAsync(1_000);
  setRenewing(undefined);
  expect(currentSession()?.token).toBe('token-1');
  expect(localStorage.getItem('autoLogin')).toBe('1');
});
