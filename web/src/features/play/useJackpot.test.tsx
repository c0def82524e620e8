import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Failing } from '../../lib/testing/answers.ts';
import { pool } from '../../lib/testing/fixtures.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { comeIn, launched, vendorGame, show, sitting } from './testing.tsx';

/** Opens the game and gives what it is told of the jackpot. */
async function framed(answers: Record<string, unknown>, origin = location.origin) {
  await show(answers);
  await expect.poll(frame).not.toBeNull();
  const told = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await waitFor(() =>
    expect(screen.getByLabelText('This session').textContent).toContain('20,000'),
  );
  return () =>
    told.mock.calls
      .map(([message]) => message as { type: string; pool?: { amount: number } | null })
      .findLast(({ type }) => type === 'jackpot');
}

const inMenu = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Game menu' }));
  const menu = await screen.findByRole('dialog', { name: 'Game menu' });
  return within(menu).queryByRole('button', { name: 'Jackpot' });
};

beforeEach(comeIn);

afterEach(() => vi.restoreAllMocks());

test('PP-13 a game is told of the pool that its stakes are drawn for, and its menu leads there', async () => {
  const told = await framed({ 'GET /wps/jackpot/pool': pool });
  const { amount, seed, cap, sharePerMille, unit, parts, most } = pool;
  const figures = { amount, seed, cap, sharePerMille, unit, parts, most };
  await expect.poll(() => told()?.pool).toEqual(figures);
  const way = await inMenu();
  await userEvent.click(way!);
  await expect.poll(() => location.pathname).toBe('/m/jackpot');
});

test.each([
  ['live tables have no part', { 'GET /wps/game/play': () => sitting({ category: 'LIVE' }) }],
  ['it is another currency’s', { 'GET /wps/jackpot/pool': { ...pool, currency: 'FUN' } }],
  [
    'it rests until it begins again',
    { 'GET /wps/jackpot/pool': { ...pool, amount: 0, games: [], beginsAt: 1_773_566_813_000 } },
  ],
  ['none is played for', { 'GET /wps/jackpot/pool': new Failing(404, 'jackpot.none') }],
])('PP-13 a game is told of no pool where %s', async (_, answers) => {
  const told = await framed({ 'GET /wps/jackpot/pool': pool, ...answers });
  await expect.poll(told).toMatchObject({ pool: null });
  expect(await inMenu()).toBeNull();
});

test('PP-13 SE-10 a game from outside is told of none', async () => {
  const told = await framed(
    { 'POST /wps/game/launchGame': { ...launched, ...vendorGame }, 'GET /wps/jackpot/pool': pool },
    vendorGame.origin,
  );
  expect(told()).toBeUndefined();
});
