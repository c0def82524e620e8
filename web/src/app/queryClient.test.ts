// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { settingsQuery, statusQuery } from '../api/system.ts';
import { answerWith, Failing } from '../lib/testing/answers.ts';
import { queryClient } from './queryClient.ts';

const settings = 'GET /wps/system/settings/consolidated';

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.clear();
});

afterEach(() => void vi.useRealTimers());

/** Returns how often a query is sent when every attempt gets this response. */
async function calls(answer: () => unknown): Promise<number> {
  const requests = answerWith({ [settings]: answer });
  const failed = queryClient
    .fetchQuery({ ...settingsQuery, retry: defaultRetry() })
    .catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  return requests.length;
}

/** fetchQuery does not retry by default, but screens do. */
const defaultRetry = () => queryClient.getDefaultOptions().queries!.retry!;

test.each([
  { name: 'a busy server', answer: new Failing(503, 'system.unavailable'), times: 2 },
  { name: 'a refusal', answer: new Failing(404, 'system.unknown'), times: 1 },
])('$name is requested $times times in all', async ({ answer, times }) => {
  expect(await calls(() => answer)).toBe(times);
});

test('nothing is retried without a network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(await calls(() => new Failing(503, 'system.unavailable'))).toBe(1);
});

test.each([
  { code: 'system.maintenance', reloads: true },
  { code: 'system.restricted', reloads: true },
  { code: 'system.error', reloads: false },
])('RT-29 in part: an error $code reloads the status: $reloads', async ({ code, reloads }) => {
  const state = { ip: '192.0.2.1', state: 'normal', homeCategory: 'HOT' } as const;
  const status = { ...state, lobbyCategory: '', maintenance: null };
  queryClient.setQueryData(statusQuery.queryKey, status);
  await calls(() => new Failing(403, code));
  expect(queryClient.getQueryState(statusQuery.queryKey)?.isInvalidated).toBe(reloads);
});
