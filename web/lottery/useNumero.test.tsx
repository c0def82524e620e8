import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { lottery } from './api.ts';
import { setServerTime } from './clock.ts';
import { useNumero, useResults } from './useNumero.ts';
import type { Draw, Numero } from './wire.ts';

const start = new Date('2026-11-18T09:00:00Z').getTime();

const numero = (id: string, openAfterMs: number): Numero => ({
  numero: id,
  openTime: start + openAfterMs,
  closeTime: start + openAfterMs + 55_000,
  drawTime: start + openAfterMs + 60_000,
  serverTime: Date.now(),
  status: 'open',
});

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  setServerTime(start);
});

afterEach(() => vi.useRealTimers());

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('after a long failure, the page finds the next numero, and shows the error meanwhile', async () => {
  const near = vi.spyOn(lottery, 'near').mockImplementation(async () => numero('0871', 0));
  const { result } = renderHook(() => useNumero('1201'));
  await advance(0);
  expect(result.current.numero?.numero).toBe('0871');
  near.mockImplementation(async () => {
    throw new TypeError('network');
  });
  await advance(61_000);
  expect(result.current.error).toBeNull(); // a single failure is not shown
  await advance(10 * 60_000);
  expect(result.current).toMatchObject({ numero: { numero: '0871' }, error: expect.any(Error) });
  near.mockImplementation(async () => numero('0882', 660_000));
  await advance(61_000);
  expect(result.current).toMatchObject({ numero: { numero: '0882' }, error: null });
});

test('a late result of a fast game is found after many polls', async () => {
  const old: Draw = { numero: '0869', winNo: '1,2,3', drawTime: start - 60_000, status: 'settled' };
  const draws = vi.spyOn(lottery, 'draws').mockImplementation(async () => ({
    list: [old],
    next: '',
  }));
  const current = numero('0871', 0);
  const { result } = renderHook(() => useResults('1201', 'k3', current));
  await advance(5000);
  expect(result.current.isDrawing).toBe(true);
  await advance(5 * 60_000);
  expect(result.current.isDrawing).toBe(false);
  draws.mockImplementation(async () => ({
    list: [{ ...old, numero: '0870', drawTime: start }],
    next: '',
  }));
  await advance(61_000);
  expect(result.current.draws?.[0]?.numero).toBe('0870');
});
