import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Limit } from '../../api/limits.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { roomOf } from './room.ts';
import { comeIn, noLimits, vendorGame, show } from './testing.tsx';

const limit = (more: Partial<Limit>) =>
  ({ kind: 'stake', period: 'day', amount: null, used: 0, pending: null, ...more }) as Limit;

test('PP-05 the limit that leaves the least for stakes is the one that applies', () => {
  const limits = [
    limit({ kind: 'deposit', amount: 1, used: 1 }),
    limit({ amount: 25_000, used: 20_000 }),
    limit({ kind: 'loss', period: 'week', amount: 10_000, used: -3000 }),
    limit({ period: 'month' }),
  ];
  expect(roomOf(limits)).toEqual({ kind: 'stake', period: 'day', amount: 25_000, left: 5000 });
  expect(roomOf(limits.slice(2))).toEqual({
    kind: 'loss',
    period: 'week',
    amount: 10_000,
    left: 13_000,
  });
  expect(roomOf([limit({ amount: 10, used: 30 })])?.left).toBe(0);
  expect(roomOf([limit({ amount: 0.3, used: 0.1 })])?.left).toBe(0.2);
  expect(roomOf(limits.slice(3))).toBeNull();
});

async function framed(answers: Record<string, unknown>, origin = location.origin) {
  await show(answers);
  await expect.poll(frame).not.toBeNull();
  const told = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await expect.poll(() => screen.queryByLabelText('This session')).not.toBeNull();
  return () =>
    told.mock.calls
      .map(([message]) => message as { type: string; limit?: unknown })
      .filter(({ type }) => type === 'room');
}

beforeEach(comeIn);

afterEach(() => vi.restoreAllMocks());

test('PP-05 a game whose stake was refused is told which limit it was, as it stands by then', async () => {
  let used = 0;
  const told = await framed({
    'GET /wps/member/limits': () => ({ ...noLimits, limits: [limit({ amount: 25_000, used })] }),
  });
  expect(told()).toEqual([]);
  used = 20_000;
  gameSays({ type: 'limit' });
  await expect
    .poll(() => told()[0]?.limit)
    .toEqual({ kind: 'stake', period: 'day', amount: 25_000, left: 5000 });
});

test('PP-05 without an answer the game is told that nobody knows', async () => {
  const told = await framed({ 'GET /wps/member/limits': new Failing(503, 'x') });
  gameSays({ type: 'limit' });
  await expect.poll(() => told()[0]).toEqual({ fairground: 1, type: 'room', limit: null });
});

test('PP-05 SE-10 a game from outside is told nothing of the limits', async () => {
  const told = await framed({ 'POST /wps/game/launchGame': vendorGame }, vendorGame.origin);
  gameSays({ type: 'limit' }, { origin: vendorGame.origin });
  gameSays({ type: 'limits' }, { origin: vendorGame.origin });
  await expect.poll(() => location.pathname).toBe('/m/member/limits');
  expect(told()).toEqual([]);
});
