import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { lottery } from './api.ts';
import { serverNow, setServerTime } from './clock.ts';
import { useGames } from './useGames.ts';
import type { Game } from './wire.ts';

const start = new Date('2026-11-18T09:00:00Z').getTime();

/** A game whose current numero is drawn after the given time. */
const game = (numero: string, drawAfterMs: number) =>
  ({
    gameId: '1201',
    numero,
    drawTime: start + drawAfterMs,
    closeTime: start + drawAfterMs - 5000,
    serverTime: Date.now(),
  }) as Game;

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  setServerTime(start);
});

afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('during an outage the list is read less and less often', async () => {
  const load = vi.spyOn(lottery, 'games').mockRejectedValue(new TypeError('network'));
  const loaded = [game('0871', -10_000)];
  renderHook(() => useGames(loaded, true));
  await pass(600_000);
  expect(load.mock.calls.length).toBeGreaterThan(5);
  expect(load.mock.calls.length).toBeLessThan(20);
});

test('the list of games is loaded again after the next draw, also after a failure', async () => {
  const load = vi.spyOn(lottery, 'games').mockRejectedValueOnce(new TypeError('network'));
  load.mockImplementation(async () => [game('0872', 90_000)]);
  const loaded = [game('0871', 30_000)];
  const { result, rerender } = renderHook(({ shown }) => useGames(loaded, shown), {
    initialProps: { shown: true },
  });
  await pass(31_000);
  expect(load).not.toHaveBeenCalled();
  await pass(15_000);
  expect(result.current[0]!.numero).toBe('0872');
  expect(load).toHaveBeenCalledTimes(2);
  expect(serverNow()).toBe(Date.now());
  rerender({ shown: false });
  await pass(300_000);
  expect(load).toHaveBeenCalledTimes(2);
});
