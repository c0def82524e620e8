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

/** How often a query is sent that is always answered in this way. */
async function calls(answer: () => unknown): Promise<number> {
  const asked = answerWith({ [settings]: answer });
  const failed = queryClient.fetchQuery({ ...settingsQuery, retry: ownRetry() }).catch(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  return asked.length;
}

/** A single fetch would not retry at all; what is looked at here is what screens get. */
const ownRetry = () => queryClient.getDefaultOptions().queries!.retry!;

test.each([
  { who: 'a server that is busy', answer: new Failing(503, 'system.unavailable'), times: 2 },
  { who: 'one that refuses', answer: new Failing(404, 'system.unknown'), times: 1 },
])('$who is asked $times times in all', async ({ answer, times }) => {
  expect(await calls(() => answer)).toBe(times);
});

test('nothing is tried again without a network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(await calls(() => new Failing(503, 'system.unavailable'))).toBe(1);
});

test.each([
  { code: 'system.maintenance', asked: true },
  { code: 'system.restricted', asked: true },
  { code: 'system.error', asked: false },
])(
  'RT-29 in part: a call refused by $code has the status asked for anew: $asked',
  async (refusal) => {
    const { code, asked } = refusal;
    const state = { ip: '192.0.2.1', state: 'normal', homeCategory: 'HOT' } as const;
    const status = { ...state, lobbyCategory: '', maintenance: null };
    queryClient.setQueryData(statusQuery.queryKey, status);
    await calls(() => new Failing(403, code));
    expect(queryClient.getQueryState(statusQuery.queryKey)?.isInvalidated).toBe(asked);
  },
);
