import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { homeAnswers, switches } from '../lib/testing/fixtures.ts';
import { startSession } from './session.ts';
import { throttle, throttleMs, useUnread } from './unread.ts';

afterEach(() => vi.useRealTimers());

test('EN-09: the total is chat, inbox and announcements', async () => {
  startSession({
    token: 'token-1',
    type: 0,
    userName: 'demo88',
    merchantCode: 'fairground',
    firstTimeLogin: false,
  });
  answerWith({
    ...homeAnswers,
    'GET /wps/system/whitelabel': { ...switches, flags: { CBS3: true } },
    'GET /wps/relay/MCSFE_getUnreadAnnouncementCount': { count: 5 },
    'GET /wps/relay/EMFE_getInboxUnreadCount': { inboxUnreadCount: 3 },
    'GET /wps/relay/CBS_unreadCount': { totalUnreadCount: 4 },
  });
  const cache = new QueryClient();
  const { result } = renderHook(() => useUnread(), {
    wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider>,
  });
  await expect
    .poll(() => result.current)
    .toEqual({ announcements: 5, inbox: 3, chat: 4, total: 12 });
});

test('CA-16 part: the counts are read at most every 250 ms', () => {
  vi.useFakeTimers();
  const task = vi.fn();
  const run = throttle(task, throttleMs);
  for (let i = 0; i < 10; i++) run();
  expect(task).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(249);
  expect(task).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(task).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  expect(task).toHaveBeenCalledTimes(2);
});
