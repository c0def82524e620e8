// @vitest-environment jsdom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

import { answerWith } from '../lib/testing/answers.ts';
import { settings, status } from '../lib/testing/fixtures.ts';
import { statusQuery } from './system.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('RT-29 a closed site asks every half a minute whether it is open again, an open one does not', async () => {
  vi.useFakeTimers();
  const answers: Record<string, unknown> = {
    'GET /wps/system/status': { ...status, systemStatus: 2 },
  };
  const asked = answerWith(answers);
  const queries = new QueryClient();
  const state = () => queries.getQueryData(statusQuery.queryKey)?.state;
  const stop = new QueryObserver(queries, statusQuery).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([state(), asked.length]).toEqual(['maintenance', 1]);
  answers['GET /wps/system/status'] = status;
  await vi.advanceTimersByTimeAsync(30_000);
  expect([state(), asked.length]).toEqual(['normal', 2]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toHaveLength(2);
  stop();
});

const site = 'GET /wps/system/settings/consolidated';

test.each([
  ['with the status', 'b', { [site]: settings }, 'regionBlock'],
  ['with the settings', undefined, { [site]: { ...settings, statusReading: 'b' } }, 'regionBlock'],
  ['nowhere', undefined, {}, 'maintenance'],
])('RT-29 ruling 2: the reading of a status is told %s', async (_, statusReading, more, state) => {
  answerWith({ 'GET /wps/system/status': { ...status, systemStatus: 2, statusReading }, ...more });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  expect(await queries.fetchQuery(statusQuery)).toMatchObject({ state });
});
