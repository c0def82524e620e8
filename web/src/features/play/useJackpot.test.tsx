import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Failing } from '../../lib/testing/answers.ts';
import { pool } from '../../lib/testing/fixtures.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { logInMember, launched, vendorGame, showGame, playReply } from './testing.tsx';

/** Opens the game. Returns the last jackpot message that it received. */
async function openGame(answers: Record<string, unknown>, origin = location.origin) {
  await showGame(answers);
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await waitFor(() =>
    expect(screen.getByLabelText('This session').textContent).toContain('20,000'),
  );
  return () =>
    postMessage.mock.calls
      .map(([message]) => message as { type: string; pool?: { amount: number } | null })
      .findLast(({ type }) => type === 'jackpot');
}

const jackpotLink = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Game menu' }));
  const menu = await screen.findByRole('dialog', { name: 'Game menu' });
  return within(menu).queryByRole('button', { name: 'Jackpot' });
};

beforeEach(logInMember);

afterEach(() => vi.restoreAllMocks());

test('PP-13 a game receives the pool that its stakes can win, and its menu links there', async () => {
  const sentJackpot = await openGame({ 'GET /wps/jackpot/pool': pool });
  const { amount, seed, cap, sharePerMille, unit, parts, most } = pool;
  const figures = { amount, seed, cap, sharePerMille, unit, parts, most };
  await expect.poll(() => sentJackpot()?.pool).toEqual(figures);
  const link = await jackpotLink();
  await userEvent.click(link!);
  await expect.poll(() => location.pathname).toBe('/m/jackpot');
});

test.each([
  ['it is a live table', { 'GET /wps/game/play': () => playReply({ category: 'LIVE' }) }],
  ['the pool has another currency', { 'GET /wps/jackpot/pool': { ...pool, currency: 'FUN' } }],
  [
    'the pool is paused',
    { 'GET /wps/jackpot/pool': { ...pool, amount: 0, games: [], beginsAt: 1_773_566_813_000 } },
  ],
  ['there is no pool', { 'GET /wps/jackpot/pool': new Failing(404, 'jackpot.none') }],
])('PP-13 a game receives no pool when %s', async (_, answers) => {
  const sentJackpot = await openGame({ 'GET /wps/jackpot/pool': pool, ...answers });
  await expect.poll(sentJackpot).toMatchObject({ pool: null });
  expect(await jackpotLink()).toBeNull();
});

test('PP-13 SE-10 a vendor’s game receives no jackpot message', async () => {
  const sentJackpot = await openGame(
    { 'POST /wps/game/launchGame': { ...launched, ...vendorGame }, 'GET /wps/jackpot/pool': pool },
    vendorGame.origin,
  );
  expect(sentJackpot()).toBeUndefined();
});
