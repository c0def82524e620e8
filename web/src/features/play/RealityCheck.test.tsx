import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { onLayer } from '../../lib/layers.ts';
import { sentTo } from '../../lib/testing/answers.ts';
import { frame, gameSays } from '../../lib/testing/game.ts';
import { logInMember, showReadyGame, noLimits, playReply } from './testing.tsx';

beforeEach(logInMember);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('PP-04 a due check waits for the round, then stops play until it is answered', async () => {
  let dueAt = Date.now() + 1_800_000;
  const { requests, postMessage, cache } = await showReadyGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt } }),
    'POST /wps/member/limits/realityCheck/acknowledge': () => {
      dueAt = Date.now() + 1_800_000;
      return {};
    },
  });
  gameSays({ type: 'busy', busy: true });
  dueAt = Date.now() - 1000;
  await act(() => cache.invalidateQueries({ queryKey: ['own'] }));
  await waitFor(() =>
    expect(postMessage).toHaveBeenCalledWith(
      { fairground: 1, type: 'pause', paused: true },
      location.origin,
    ),
  );
  expect(screen.queryByRole('alertdialog')).toBeNull();
  gameSays({ type: 'busy', busy: false });
  const check = await screen.findByRole('alertdialog');
  expect(within(check).getByText(/You began to play 1 minute ago/)).toBeVisible();
  expect(check.textContent).toContain('-20,000');
  const [first, second] = within(check)
    .getAllByRole('button')
    .map((button) => button.textContent);
  expect([first, second]).toEqual(['Stop playing', 'Play on']);

  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onLayer()).toBe(true);
  history.back();
  await expect.poll(() => onLayer()).toBe(true);
  expect(screen.getByRole('alertdialog')).toBeVisible();
  expect(location.pathname).toBe('/m/launchGame');

  await userEvent.click(within(check).getByRole('button', { name: 'Play on' }));
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull();
  const [sent] = sentTo(requests, 'POST /wps/member/limits/realityCheck/acknowledge');
  expect(await sent!.json()).toEqual({ playId: 'play-1' });
  expect(postMessage).toHaveBeenLastCalledWith(
    { fairground: 1, type: 'pause', paused: false },
    location.origin,
  );
});

test('PP-04 a check shows all play without a break, in other games too', async () => {
  const played = { for: 20 * 60_000, staked: 500_000, returned: 380_000, net: -120_000 };
  await showReadyGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 15, dueAt: Date.now() - 1 } }),
    'GET /wps/member/limits': {
      ...noLimits,
      realityCheck: { minutes: 15, choices: [15, 30, 60], played },
    },
  });
  const check = await screen.findByRole('alertdialog');
  expect(await within(check).findByText(/You began to play 20 minutes ago/)).toBeVisible();
  expect(check.textContent).toContain('20:00');
  expect(check.textContent).toContain('-120,000');
  expect(check.textContent).toContain('500,000');
});

test('PP-04 stopping leaves the game and closes the session', async () => {
  await showReadyGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt: Date.now() - 1 } }),
  });
  const check = await screen.findByRole('alertdialog');
  await userEvent.click(within(check).getByRole('button', { name: 'Stop playing' }));
  await expect.poll(() => location.pathname).toBe('/m/game');
});

test('PP-04 the wait for a running round times out', async () => {
  let dueAt = Date.now() + 1_800_000;
  const { postMessage, cache } = await showReadyGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt } }),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  gameSays({ type: 'busy', busy: true });
  dueAt = Date.now() - 1000;
  void cache.invalidateQueries({ queryKey: ['own'] });
  await expect
    .poll(() => {
      act(() => void vi.advanceTimersByTime(10));
      return postMessage.mock.calls.at(-1)?.[0];
    })
    .toEqual({ fairground: 1, type: 'pause', paused: true });
  act(() => void vi.advanceTimersByTime(50_000));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  // Repeating the message does not extend the timeout.
  gameSays({ type: 'busy', busy: true });
  act(() => void vi.advanceTimersByTime(10_001));
  await expect.poll(() => screen.queryByRole('alertdialog')).not.toBeNull();
});

test('PP-04 a new round does not close an open check', async () => {
  await showReadyGame({
    'GET /wps/game/play': () => playReply({ realityCheck: { minutes: 30, dueAt: Date.now() - 1 } }),
  });
  const check = await screen.findByRole('alertdialog');
  gameSays({ type: 'busy', busy: true });
  gameSays({ type: 'busy', busy: false });
  gameSays({ type: 'busy', busy: true });
  expect(screen.getByRole('alertdialog')).toBe(check);
  expect(frame()!.hasAttribute('inert')).toBe(true);
});
