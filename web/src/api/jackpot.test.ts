// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { bounds, amountAt, canWin, jackpotOf, refetchDelay, type Jackpot } from './jackpot.ts';

const simulated: Jackpot = {
  simulated: true,
  amount: 4_000_000_000,
  start: 3_900_000_000,
  at: 1000,
  perTick: 7,
  tickMs: 200,
  rules: '/m/jackpot',
  currency: '',
  games: [],
};

test('KO-02 the counter grows every 200 ms, in whole ticks', () => {
  expect(amountAt(simulated, 1000)).toBe(4_000_000_000);
  expect(amountAt(simulated, 1199)).toBe(4_000_000_000);
  expect(amountAt(simulated, 1200)).toBe(4_000_000_007);
  expect(amountAt(simulated, 2000)).toBe(4_000_000_035);
  expect(amountAt(simulated, 0)).toBe(4_000_000_000);
});

test('KO-02 every game’s counter starts within the bounds, for any start of the day', () => {
  for (const start of [bounds.min, 5_000_000_000, bounds.max - 100_000_000]) {
    for (let game = 0; game < 500; game += 1) {
      const own = jackpotOf({ ...simulated, start, amount: start + 3_024_000 }, `node-${game}`);
      expect(own.start).toBeGreaterThanOrEqual(bounds.min);
      expect(own.amount).toBeLessThanOrEqual(bounds.max);
      expect(own.amount - own.start).toBe(3_024_000);
    }
  }
});

test('HM-09 in part: during a day each game’s counter grows by the common growth', () => {
  for (const perTick of [1, 5, 97]) {
    for (let game = 0; game < 500; game += 1) {
      const at = (grown: number) =>
        jackpotOf({ ...simulated, perTick, amount: simulated.start + grown }, `node-${game}`);
      const whole = perTick * 432_000;
      expect(at(whole).amount - at(0).amount).toBe(whole);
      expect(at(whole).amount).toBeLessThanOrEqual(bounds.max);
    }
  }
});

test('HM-09 in part: each game has a stable simulated counter; all games share a real pool', () => {
  const counters = new Set(
    Array.from({ length: 18 }, (_, i) => jackpotOf(simulated, `${i}`).amount),
  );
  expect(counters.size).toBe(18);
  expect(jackpotOf(simulated, '1')).toEqual(jackpotOf(simulated, '1'));
  const pool = { ...simulated, simulated: false };
  expect(jackpotOf(pool, '1')).toBe(pool);
});

test('PP-13 a real pool is shown only with games that can win it, a simulated one with any game', () => {
  const games = [
    { category: 'JL', vendors: ['AV', 'PG'] },
    { category: 'RNG', vendors: ['PG'] },
  ];
  const pool = { ...simulated, simulated: false, games };
  expect(canWin(pool, { category: 'JL', vendor: 'AV' })).toBe(true);
  expect(canWin(pool, { category: 'RNG', vendor: 'PG' })).toBe(true);
  expect(canWin(pool, { category: 'RNG', vendor: 'AV' })).toBe(false);
  expect(canWin(pool, { category: 'LIVE', vendor: 'PG' })).toBe(false);
  expect(canWin(simulated, { category: 'LIVE', vendor: 'PG' })).toBe(true);
});

test('a pool is refetched every ten seconds, and less often while it cannot be read', () => {
  expect(refetchDelay(1_000_000, 1_000_100)).toBe(10_000);
  expect(refetchDelay(1_000_000, 1_025_000)).toBe(25_000);
  expect(refetchDelay(1_000_000, 9_000_000)).toBe(120_000);
});
