import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Limit } from '../../api/limits.ts';
import { Failing } from '../../lib/testing/answers.ts';
import { frame, gameSays, readyGame } from '../../lib/testing/game.ts';
import { remainingLimit } from './remaining-limit.ts';
import { logInMember, noLimits, vendorGame, showGame } from './testing.tsx';

const limit = (more: Partial<Limit>) =>
  ({ kind: 'stake', period: 'day', amount: null, used: 0, pending: null, ...more }) as Limit;

test('PP-05 the limit with the smallest remaining amount applies', () => {
  const limits = [
    limit({ kind: 'deposit', amount: 1, used: 1 }),
    limit({ amount: 25_000, used: 20_000 }),
    limit({ kind: 'loss', period: 'week', amount: 10_000, used: -3000 }),
    limit({ period: 'month' }),
  ];
  expect(remainingLimit(limits)).toEqual({
    kind: 'stake',
    period: 'day',
    amount: 25_000,
    left: 5000,
  });
  expect(remainingLimit(limits.slice(2))).toEqual({
    kind: 'loss',
    period: 'week',
    amount: 10_000,
    left: 13_000,
  });
  expect(remainingLimit([limit({ amount: 10, used: 30 })])?.left).toBe(0);
  expect(remainingLimit([limit({ amount: 0.3, used: 0.1 })])?.left).toBe(0.2);
  expect(remainingLimit(limits.slice(3))).toBeNull();
});

async function openGame(answers: Record<string, unknown>, origin = location.origin) {
  await showGame(answers);
  await expect.poll(frame).not.toBeNull();
  const postMessage = vi.spyOn(frame()!.contentWindow!, 'postMessage').mockImplementation(() => {});
  gameSays(readyGame, { origin });
  await expect.poll(() => screen.queryByLabelText('This session')).not.toBeNull();
  return () =>
    postMessage.mock.calls
      .map(([message]) => message as { type: string; limit?: unknown })
      .filter(({ type }) => type === 'room');
}

beforeEach(logInMember);

afterEach(() => vi.restoreAllMocks());

test('PP-05 a game whose stake was refused receives the current state of the limit', async () => {
  let used = 0;
  const sentLimits = await openGame({
    'GET /wps/member/limits': () => ({ ...noLimits, limits: [limit({ amount: 25_000, used })] }),
  });
  expect(sentLimits()).toEqual([]);
  used = 20_000;
  gameSays({ type: 'limit' });
  await expect
    .poll(() => sentLimits()[0]?.limit)
    .toEqual({ kind: 'stake', period: 'day', amount: 25_000, left: 5000 });
});

test('PP-05 the game receives null when the limits cannot be fetched', async () => {
  const sentLimits = await openGame({ 'GET /wps/member/limits': new Failing(503, 'x') });
  gameSays({ type: 'limit' });
  await expect.poll(() => sentLimits()[0]).toEqual({ fairground: 1, type: 'room', limit: null });
});

test('PP-05 SE-10 a vendor’s game receives nothing about the limits', async () => {
  const sentLimits = await openGame({ 'POST /wps/game/launchGame': vendorGame }, vendorGame.origin);
  gameSays({ type: 'limit' }, { origin: vendorGame.origin });
  gameSays({ type: 'limits' }, { origin: vendorGame.origin });
  await expect.poll(() => location.pathname).toBe('/m/member/limits');
  expect(sentLimits()).toEqual([]);
});
