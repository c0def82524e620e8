// @vitest-environment jsdom
import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

import { chatUnreadQuery } from '../api/chat-unread.ts';
import { chatQuery, historyQuery } from '../api/chat.ts';
import { inboxQuery, inboxUnreadQuery } from '../api/inbox.ts';
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

test('inbox and chat reload after the event stream was cut and connected again', async () => {
  vi.useFakeTimers();
  startSession({
    token: 't',
    type: 0,
    userName: 'lan',
    merchantCode: 'demo',
    firstTimeLogin: false,
  });
  const cuts: (() => void)[] = [];
  const requests = answerWith({
    'GET /wps/events': () =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => void cuts.push(() => controller.close()),
        }),
      ),
  });
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
  cuts[0]!();
  await vi.advanceTimersByTimeAsync(reconnectMs);
  expect(sentTo(requests, '/wps/events')).toHaveLength(2);
  expect(stale()).toEqual(keys);
  close();
});
