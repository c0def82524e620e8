import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { announcementsQuery } from '../api/content.ts';
import { memberQuery } from '../api/member.ts';
import { clearSession, currentSession, startSession } from '../api/session.ts';
import { walletQuery, type Wallet } from '../api/wallet.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { followSessions, touchEvery } from './live.ts';

const wallet: Wallet = {
  total: '1000',
  currency: 'VND',
  symbol: '₫',
  accounts: [{ kind: 'cash', currency: 'VND', balance: '1000', version: 1 }],
};

let cache: QueryClient;
let stop: () => void;
let send: ((text: string) => void) | undefined;
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
  send = undefined;
  clearSession();
  cache = new QueryClient();
  asked = answerWith({
    'GET /wps/session/touch': {},
    'GET /wps/relay/MCSFE_getListAnnouncements': [],
    'GET /wps/events': () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          send = (text) => controller.enqueue(new TextEncoder().encode(text));
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

/** Says something on the stream, once it stands. */
async function say(text: string) {
  await vi.waitFor(() => expect(send).toBeDefined());
  send?.(text);
  await vi.advanceTimersByTimeAsync(10);
}

const streams = () => asked.filter(({ url }) => url.endsWith('/wps/events'));

test('a visitor has no stream; a session opens one, with its token', async () => {
  await vi.advanceTimersByTimeAsync(10);
  expect(streams()).toHaveLength(0);
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  expect(streams().map(({ headers }) => headers.get('Authorization'))).toEqual(['token-1']);
});

test('the balance follows the stream; older news is passed over', async () => {
  logIn('token-1');
  await vi.advanceTimersByTimeAsync(10);
  cache.setQueryData(walletQuery.queryKey, wallet);
  const balance = (amount: number, version: number) =>
    `event: balance\ndata: {"kind":"cash","currency":"VND","balance":${amount},"version":${version}}\n\n`;
  await say(balance(2500, 3) + balance(9, 2));
  expect(cache.getQueryData(walletQuery.queryKey)?.total).toBe('2500');
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
  const info = { id: '7', account: 'demo88', name: 'Minh Anh', type: 0, vip: 'VIP 3' };
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
