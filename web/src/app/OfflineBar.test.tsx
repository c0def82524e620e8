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
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Row() {
  const { data, isError } = useQuery({
    queryKey: ['row'],
    queryFn: () => value(client.GET('/wps/session/touch')),
    // As the app has it.
    networkMode: 'always',
    refetchOnReconnect: true,
  });
  return <p>{data === undefined ? (isError ? 'failed' : 'waits') : 'here'}</p>;
}

function open(answers: Record<string, unknown>) {
  const asked = answerWith(answers);
  renderScreen(
    <>
      <OfflineBar />
      <Row />
    </>,
  );
  const probes = () => asked.filter(({ url }) => url.endsWith('/wps/system/status')).length;
  return { probes };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('ER-02 bar part: calls that get nowhere show it, the first answer takes it away and loads what failed', async () => {
  const answers: Record<string, unknown> = {};
  const { probes } = open(answers);
  await pass(900);
  expect(screen.getByText('failed')).toBeDefined();
  expect(bar()).toBeNull();
  await pass(200);
  expect(bar()).not.toBeNull();
  await pass(4000);
  expect(bar()).not.toBeNull();
  expect(probes()).toBe(2);
  answers[statusCall] = {};
  answers[touchCall] = {};
  await pass(4000);
  expect(bar()).toBeNull();
  expect(screen.getByText('here')).toBeDefined();
  // Nothing is asked for any longer.
  await pass(60_000);
  expect(probes()).toBe(3);
});

test('a single call that failed does not make it flicker', async () => {
  const answers: Record<string, unknown> = { [statusCall]: {} };
  const { probes } = open(answers);
  await pass(100);
  expect(screen.getByText('failed')).toBeDefined();
  const seen = vi.fn();
  const watching = new MutationObserver(() => bar() && seen());
  watching.observe(document.body, { subtree: true, childList: true });
  await pass(60_000);
  watching.disconnect();
  expect(seen).not.toHaveBeenCalled();
  expect(probes()).toBe(1);
});

test('while the browser itself knows of no network, an answer that was under way does not take it away', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open({ [statusCall]: {} });
  expect(bar()).not.toBeNull();
  await pass(5000);
  expect(bar()).not.toBeNull();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(bar()).toBeNull();
});
