import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, noLimits, vendorGame, show, sitting } from './testing.tsx';

const rest = () => ({
  kind: 'timeOut',
  period: '24h',
  since: Date.now(),
  until: Date.now() + 86_400_000,
  longer: [],
});

/** A game in which a break can be begun from elsewhere, and whose round then comes to something. */
async function framed() {
  let pause: unknown = null;
  let net = 0;
  const shown = await show({
    'GET /wps/member/limits': () => ({ ...noLimits, break: pause }),
    'GET /wps/game/play': () => sitting({ staked: -net, returned: 0, net }),
  });
  await expect.poll(frame).not.toBeNull();
  const told = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame);
  await expect.poll(() => screen.queryByLabelText('This session')).not.toBeNull();
  return {
    ...shown,
    told,
    beginBreak: () => {
      pause = rest();
      return act(() => shown.cache.invalidateQueries({ queryKey: ['own', 'limits'] }));
    },
    comesTo: (result: number) => {
      net = result;
    },
  };
}

beforeEach(comeIn);

afterEach(() => {
  vi.restoreAllMocks();
  // Calls wait for a line that was lost.
  dispatchEvent(new Event('online'));
});

test('PP-07 PP-03 a break begun amid a round lets the round be told: its result is shown and counted', async () => {
  const { beginBreak, comesTo, told } = await framed();
  gameSays({ type: 'busy', busy: true });
  await beginBreak();
  expect(await screen.findByText('Play ends with this round')).toBeDefined();
  expect(frame()).not.toBeNull();
  expect(told.mock.calls.map(([message]) => message as unknown)).toContainEqual({
    fairground: 1,
    type: 'pause',
    paused: true,
  });
  comesTo(-10_000);
  gameSays({ type: 'round', roundId: 'r-1', stake: 10_000, win: 0 });
  gameSays({ type: 'busy', busy: false });
  expect(await screen.findByText('Your break has begun')).toBeDefined();
  expect(frame()).toBeNull();
  await expect.poll(() => screen.getByLabelText('This session').textContent).toContain('-10,000');
});

test('PP-07 a round that the game did not tell any more is counted, and the record is one tap away', async () => {
  const { beginBreak, comesTo } = await framed();
  gameSays({ type: 'busy', busy: true });
  comesTo(-10_000);
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

test('PP-15 without a line an idle game speaks of no round', async () => {
  await framed();
  offline();
  expect(await screen.findByText(/^No round of yours is running/)).toBeDefined();
});

test('PP-15 without a line amid a round its result is promised', async () => {
  await framed();
  gameSays({ type: 'busy', busy: true });
  offline();
  expect(await screen.findByText(/^If your stake was taken/)).toBeDefined();
});

test('PP-15 without a line a game from outside is told of as one of which nobody knows', async () => {
  await show({ 'POST /wps/game/launchGame': vendorGame });
  await expect.poll(frame).not.toBeNull();
  offline();
  expect(await screen.findByText(/^If a round is running/)).toBeDefined();
});
