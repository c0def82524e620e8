import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { sentTo } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, showGame, vendorGame } from './testing.tsx';

const wallet = {
  sumBalance: 1500,
  currency: 'VND',
  currencySymbol: '₫',
  balance: [
    { kind: 'cash', currency: 'VND', balance: 1000, version: 1 },
    { kind: 'bonus', currency: 'VND', balance: 500, version: 1 },
  ],
};

const cash = (balance: number, version: number) =>
  JSON.stringify({ kind: 'cash', currency: 'VND', balance, version });

async function openGame(answers: Record<string, unknown> = {}, origin = location.origin) {
  const shown = await showGame({ 'GET /wps/v2/wallets/balance': wallet, ...answers });
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await expect.poll(() => screen.queryByLabelText('This session')?.textContent).toContain('20,000');
  const sentBalances = () =>
    postMessage.mock.calls
      .map(([message]) => message as { type: string; balance?: number })
      .filter(({ type }) => type === 'balance')
      .map(({ balance }) => balance);
  const changeBalance = (balance: number, version: number) =>
    act(() => applyBalance(shown.cache, cash(balance, version)));
  return { ...shown, sentBalances, changeBalance };
}

beforeEach(logInMember);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('PP-01 a House game receives each change of its cash balance', async () => {
  const { sentBalances, changeBalance } = await openGame();
  await expect.poll(sentBalances).toEqual([1000]);
  changeBalance(6000, 2);
  await expect.poll(sentBalances).toEqual([1000, 6000]);
});

test('PP-01 a running round delays the balance message, and an unchanged balance is not sent', async () => {
  const { sentBalances, changeBalance } = await openGame();
  await expect.poll(sentBalances).toEqual([1000]);
  gameSays({ type: 'busy', busy: true });
  changeBalance(900, 2);
  changeBalance(1400, 3);
  expect(sentBalances()).toEqual([1000]);
  gameSays({ type: 'busy', busy: false });
  await expect.poll(sentBalances).toEqual([1000, 1400]);
  gameSays({ type: 'busy', busy: true });
  gameSays({ type: 'busy', busy: false });
  expect(sentBalances()).toEqual([1000, 1400]);
});

test('PP-01 SE-10 a vendor’s game receives no balance', async () => {
  const { sentBalances, changeBalance } = await openGame(
    { 'POST /wps/game/launchGame': vendorGame },
    vendorGame.origin,
  );
  changeBalance(6000, 2);
  await expect.poll(() => screen.queryAllByText(/6,?500/)).not.toEqual([]);
  expect(sentBalances()).toEqual([]);
});

test('PP-03 a balance change from another window refetches the net result; a round here does not', async () => {
  const { requests, changeBalance } = await openGame();
  const playRequests = () => sentTo(requests, 'GET /wps/game/play').length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const advance = () => act(() => vi.advanceTimersByTimeAsync(1000));
  const before = playRequests();
  changeBalance(900, 2);
  await advance();
  expect(playRequests()).toBe(before + 1);
  gameSays({ type: 'busy', busy: true });
  changeBalance(800, 3);
  await advance();
  expect(playRequests()).toBe(before + 1);
});
