import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { client, value } from '../api/client.ts';
import { answerWith } from '../lib/testing/answers.ts';
import { renderScreen } from '../lib/testing/screen.tsx';
import { OfflineBar } from './OfflineBar.tsx';

const statusCall = 'GET /wps/system/status';
const touchCall = 'GET /wps/session/touch';

const bar = () => screen.queryByText('Network offline or unstable');
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Row() {
  const { data, isError } = useQuery({
    queryKey: ['row'],
    queryFn: () => value(client.GET('/wps/session/touch')),
    // The same options as the app's query client.
    networkMode: 'always',
    refetchOnReconnect: true,
  });
  return <p>{data === undefined ? (isError ? 'failed' : 'loading') : 'loaded'}</p>;
}

function open(answers: Record<string, unknown>) {
  const requests = answerWith(answers);
  renderScreen(
    <>
      <OfflineBar />
      <Row />
    </>,
  );
  const probes = () => requests.filter(({ url }) => url.endsWith('/wps/system/status')).length;
  return { probes };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('ER-02 bar part: unreachable requests show the bar; the first response hides it and reloads failed queries', async () => {
  const answers: Record<string, unknown> = {};
  const { probes } = open(answers);
  await advance(900);
  expect(screen.getByText('failed')).toBeVisible();
  expect(bar()).toBeNull();
  await advance(200);
  expect(bar()).not.toBeNull();
  await advance(4000);
  expect(bar()).not.toBeNull();
  expect(probes()).toBe(2);
  answers[statusCall] = {};
  answers[touchCall] = {};
  await advance(4000);
  expect(bar()).toBeNull();
  expect(screen.getByText('loaded')).toBeVisible();
  // The probes have stopped.
  await advance(60_000);
  expect(probes()).toBe(3);
});

test('a single failed request does not show the bar', async () => {
  const answers: Record<string, unknown> = { [statusCall]: {} };
  const { probes } = open(answers);
  await advance(100);
  expect(screen.getByText('failed')).toBeVisible();
  const seen = vi.fn();
  const observer = new MutationObserver(() => bar() && seen());
  observer.observe(document.body, { subtree: true, childList: true });
  await advance(60_000);
  observer.disconnect();
  expect(seen).not.toHaveBeenCalled();
  expect(probes()).toBe(1);
});

test('a late response does not hide the bar while the browser reports no network', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open({ [statusCall]: {} });
  expect(bar()).not.toBeNull();
  await advance(5000);
  expect(bar()).not.toBeNull();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(bar()).toBeNull();
});
