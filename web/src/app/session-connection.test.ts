// @vitest-environment jsdom
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

import { chatUnreadQuery } from '../api/chat-unread.ts';
import { chatQuery, historyQuery } from '../api/chat.ts';
import { inboxQuery, inboxUnreadQuery } from '../api/inbox.ts';
import { lotteryDrawsQuery, lotteryGamesQuery, lotteryMenusQuery } from '../api/lottery.ts';
import { clearSession, startSession } from '../api/session.ts';
import { answerWith, sentTo } from '../lib/testing/answers.ts';
import { connectSession } from './session-connection.ts';

/** Longer than the first delay before a new connection. */
const reconnectMs = 2_000;

afterEach(() => {
  clearSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server with event streams, and a logged-in member. The clock is fake. */
function serveStreams() {
  vi.useFakeTimers();
  startSession({
    token: 't',
    type: 0,
    userName: 'lan',
    merchantCode: 'demo',
    firstTimeLogin: false,
  });
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const requests = answerWith({
    'GET /wps/events': () =>
      new Response(
        new ReadableStream<Uint8Array>({ start: (controller) => void streams.push(controller) }),
      ),
  });
  return { requests, streams };
}

test('inbox and chat reload after the event stream was cut and connected again', async () => {
  const { requests, streams } = serveStreams();
  const cache = new QueryClient();
  const keys: QueryKey[] = [
    inboxUnreadQuery.queryKey,
    inboxQuery('en', false).queryKey,
    chatUnreadQuery.queryKey,
    chatQuery('member').queryKey,
    historyQuery('member').queryKey,
  ];
  const stale = () => keys.filter((key) => cache.getQueryState(key)?.isInvalidated);

  const close = connectSession(cache, 't');
  await vi.advanceTimersByTimeAsync(0);
  expect(sentTo(requests, '/wps/events')).toHaveLength(1);
  for (const key of keys) cache.setQueryData(key, 'loaded before');
  await vi.advanceTimersByTimeAsync(reconnectMs);
  expect(stale()).toEqual([]);
  streams[0]!.close();
  await vi.advanceTimersByTimeAsync(reconnectMs);
  expect(sentTo(requests, '/wps/events')).toHaveLength(2);
  expect(stale()).toEqual(keys);
  close();
});

test.each([
  { random: 0, delayMs: 1_000 },
  { random: 0.5, delayMs: 3_000 },
])(
  'a settled draw reloads the lists of games and draws after $delayMs ms, so that clients do not reload at the same time',
  async ({ random, delayMs }) => {
    const { streams } = serveStreams();
    const cache = new QueryClient();
    const results: QueryKey[] = [
      lotteryGamesQuery('vi').queryKey,
      lotteryDrawsQuery('1201').queryKey,
    ];
    const others: QueryKey[] = [
      lotteryMenusQuery('vi').queryKey,
      inboxUnreadQuery.queryKey,
      chatQuery('member').queryKey,
    ];
    const stale = () =>
      [...results, ...others].filter((key) => cache.getQueryState(key)?.isInvalidated);
    const close = connectSession(cache, 't');
    await vi.advanceTimersByTimeAsync(0);
    for (const key of [...results, ...others]) cache.setQueryData(key, 'loaded before');
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const event = 'event: lottery.settled\ndata: {"gameId":"1201"}\n\n';
    streams[0]!.enqueue(new TextEncoder().encode(event));
    await vi.advanceTimersByTimeAsync(delayMs - 1);
    expect(stale()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(stale()).toEqual(results);
    close();
  },
);
