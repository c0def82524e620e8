import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyBalance } from '../../api/wallet.ts';
import { sentTo } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, show, vendorGame } from './testing.tsx';

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

async function framed(answers: Record<string, unknown> = {}, origin = location.origin) {
  const shown = await show({ 'GET /wps/v2/wallets/balance': wallet, ...answers });
  await expect.poll(frame).not.toBeNull();
  const posted = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await expect.poll(() => screen.queryByLabelText('This session')?.textContent).toContain('20,000');
  const told = () =>
    posted.mock.calls
      .map(([message]) => message as { type: string; balance?: number })
      .filter(({ type }) => type === 'balance')
      .map(({ balance }) => balance);
  const happens = (balance: number, version: number) =>
    act(() => applyBalance(shown.cache, cash(balance, version)));
  return { ...shown, told, happens };
}

beforeEach(comeIn);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('PP-01 a game of the House is told of each change of the cash that it plays with', async () => {
  const { told, happens } = await framed();
  await expect.poll(told).toEqual([1000]);
  happens(6000, 2);
  await expect.poll(told).toEqual([1000, 6000]);
});

test('PP-01 a game in a round is told after it, and nothing where nothing changed', async () => {
  const { told, happens } = await framed();
  await expect.poll(told).toEqual([1000]);
  gameSays({ type: 'busy', busy: true });
  happens(900, 2);
  happens(1400, 3);
  expect(told()).toEqual([1000]);
  gameSays({ type: 'busy', busy: false });
  await expect.poll(told).toEqual([1000, 1400]);
  gameSays({ type: 'busy', busy: true });
  gameSays({ type: 'busy', busy: false });
  expect(told()).toEqual([1000, 1400]);
});

test('PP-01 SE-10 a game from outside is told nothing of the balance', async () => {
  const { told, happens } = await framed(
    { 'POST /wps/game/launchGame': vendorGame },
    vendorGame.origin,
  );
  happens(6000, 2);
  await expect.poll(() => screen.queryAllByText(/6,?500/)).not.toEqual([]);
  expect(told()).toEqual([]);
});

test('PP-03 the net position is asked for anew when the balance changed by another window, not by a round here', async () => {
  const { asked, happens } = await framed();
  const asks = () => sentTo(asked, 'GET /wps/game/play').length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pass = () => act(() => vi.advanceTimersByTimeAsync(1000));
  const before = asks();
  happens(900, 2);
  await pass();
  expect(asks()).toBe(before + 1);
  gameSays({ type: 'busy', busy: true });
  happens(800, 3);
  await pass();
  expect(asks()).toBe(before + 1);
});
