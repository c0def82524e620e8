// @vitest-environment jsdom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { settings, status } from '../lib/testing/fixtures.ts';
import { statusQuery } from './system.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('RT-29 a closed site checks every 30 seconds whether it is open again, an open one does not', async () => {
  vi.useFakeTimers();
  const answers: Record<string, unknown> = {
    'GET /wps/system/status': { ...status, systemStatus: 2 },
  };
  const requests = answerWith(answers);
  const queries = new QueryClient();
  const state = () => queries.getQueryData(statusQuery.queryKey)?.state;
  const stop = new QueryObserver(queries, statusQuery).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([state(), requests.length]).toEqual(['maintenance', 1]);
  answers['GET /wps/system/status'] = status;
  await vi.advanceTimersByTimeAsync(30_000);
  expect([state(), requests.length]).toEqual(['normal', 2]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(requests).toHaveLength(2);
  stop();
});

const settingsCall = 'GET /wps/system/settings/consolidated';

test.each([
  ['the status', 'b', { [settingsCall]: settings }, 'regionBlock'],
  [
    'the settings',
    undefined,
    { [settingsCall]: { ...settings, statusReading: 'b' } },
    'regionBlock',
  ],
  ['neither', undefined, {}, 'maintenance'],
])('RT-29 ruling 2: %s has the numbering of the status', async (_, statusReading, more, state) => {
  answerWith({ 'GET /wps/system/status': { ...status, systemStatus: 2, statusReading }, ...more });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  expect(await queries.fetchQuery(statusQuery)).toMatchObject({ state });
});
