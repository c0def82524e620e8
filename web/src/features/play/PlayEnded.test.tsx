import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, noLimits, vendorGame, showGame, playReply } from './testing.tsx';

const newBreak = () => ({
  kind: 'timeOut',
  period: '24h',
  since: Date.now(),
  until: Date.now() + 86_400_000,
  longer: [],
});

/** Opens a game. Returns functions that begin a break and set the session’s net result. */
async function openGame() {
  let currentBreak: unknown = null;
  let net = 0;
  const shown = await showGame({
    'GET /wps/member/limits': () => ({ ...noLimits, break: currentBreak }),
    'GET /wps/game/play': () => playReply({ staked: -net, returned: 0, net }),
  });
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  await expect.poll(() => screen.queryByLabelText('This session')).not.toBeNull();
  return {
    ...shown,
    postMessage,
    beginBreak: () => {
      currentBreak = newBreak();
      return act(() => shown.cache.invalidateQueries({ queryKey: ['own', 'limits'] }));
    },
    setNet: (newNet: number) => {
      net = newNet;
    },
  };
}

beforeEach(logInMember);

afterEach(() => {
  vi.restoreAllMocks();
  // Resumes the requests that wait for a connection.
  dispatchEvent(new Event('online'));
});

test('PP-07 PP-03 a break begun during a round lets the round finish: its result is shown and counted', async () => {
  const { beginBreak, setNet, postMessage } = await openGame();
  gameSays({ type: 'busy', busy: true });
  await beginBreak();
  expect(await screen.findByText('Play ends with this round')).toBeVisible();
  expect(frame()).not.toBeNull();
  expect(postMessage.mock.calls.map(([message]) => message as unknown)).toContainEqual({
    fairground: 1,
    type: 'pause',
    paused: true,
  });
  setNet(-10_000);
  gameSays({ type: 'round', roundId: 'r-1', stake: 10_000, win: 0 });
  gameSays({ type: 'busy', busy: false });
  expect(await screen.findByText('Your break has begun')).toBeVisible();
  expect(frame()).toBeNull();
  await expect.poll(() => screen.getByLabelText('This session').textContent).toContain('-10,000');
});

test('PP-07 a round that the game did not report is counted, and the end screen links to the record', async () => {
  const { beginBreak, setNet } = await openGame();
  gameSays({ type: 'busy', busy: true });
  setNet(-10_000);
  gameSays({ type: 'busy', busy: false });
  await beginBreak();
  await expect.poll(() => screen.getByLabelText('This session').textContent).toContain('-10,000');
  await userEvent.click(await screen.findByRole('button', { name: 'Betting record' }));
  await expect.poll(() => location.pathname).toBe('/m/gameRecord');
});

const offline = () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void dispatchEvent(new Event('offline')));
};

test('PP-15 offline between rounds: says that no round is in progress', async () => {
  await openGame();
  offline();
  expect(await screen.findByText(/^No round of yours is running/)).toBeVisible();
});

test('PP-15 offline during a round: says that its result counts', async () => {
  await openGame();
  gameSays({ type: 'busy', busy: true });
  offline();
  expect(await screen.findByText(/^If your stake was taken/)).toBeVisible();
});

test('PP-15 offline in a vendor game: does not say whether a round is in progress', async () => {
  await showGame({ 'POST /wps/game/launchGame': vendorGame });
  await expect.poll(frame).not.toBeNull();
  offline();
  expect(await screen.findByText(/^If a round is running/)).toBeVisible();
});
