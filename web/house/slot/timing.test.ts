import { expect, test } from 'vitest';

import {
  spinTimes,
  fallAt,
  fallTimes,
  fallTotalMs,
  landingTimes,
  minRoundMs,
  reelPositionAt,
} from './timing.ts';

test('PP-10 (client) a round takes at least 2.5 seconds, even with a fast response', () => {
  expect(minRoundMs).toBe(2500);
  for (const answered of [0, 1, 80, 500, 1040]) {
    const { stops, result } = landingTimes(answered, 5);
    expect(stops).toEqual([1300, 1520, 1740, 1960, 2180]);
    expect(result).toBe(2500);
  }
});

test('a late response delays every stop and the result equally', () => {
  const { stops, result } = landingTimes(5040, 5);
  expect(stops).toEqual([5300, 5520, 5740, 5960, 6180]);
  expect(result).toBe(6500);
});

test('a reel pulls back, accelerates and runs until it has a stop', () => {
  expect(reelPositionAt(0, 7, null)).toEqual({ top: 7, swing: 0, speed: 0 });
  expect(reelPositionAt(80, 7, null).top).toBe(7);
  expect(reelPositionAt(170, 7, null).top).toBeGreaterThan(7);
  expect(reelPositionAt(349, 7, null).speed).toBeLessThan(1);
  expect(reelPositionAt(350, 7, null).speed).toBe(1);
  const [one, two] = [reelPositionAt(3000, 7, null).top, reelPositionAt(3100, 7, null).top];
  expect(one - two).toBeCloseTo(2.4);
});

test('a reel reaches its stop without a jump and overshoots by ten pixels', () => {
  const to = { stop: 12, at: 1300 };
  const at = (time: number) => reelPositionAt(time, 7, to, 100);
  expect(at(1299).top).toBeCloseTo(12.024);
  expect(at(1300)).toEqual({ top: 12, swing: 0, speed: 0 });
  const swings = Array.from({ length: 161 }, (_, i) => at(1300 + i).swing);
  expect(Math.max(...swings)).toBeGreaterThan(8);
  expect(Math.max(...swings)).toBeLessThanOrEqual(10);
  expect(at(1300 + spinTimes.overshoot).swing).toBeCloseTo(0);
  expect(at(9000)).toMatchObject({ top: 12, speed: 0 });
});

test('a machine with more reels stops them within the same time', () => {
  const { stops, result } = landingTimes(0, 6);
  expect([stops[0], stops.at(-1), stops.length, result]).toEqual([1300, 2180, 6, 2500]);
});

test('winning symbols vanish in 180 ms and the others fall in 260', () => {
  expect([fallTimes.vanish, fallTimes.fall]).toEqual([180, 260]);
  expect(fallAt(fallTimes.mark)).toEqual({ vanished: 0, fallen: 0, over: false });
  expect(fallAt(fallTimes.mark + 90).vanished).toBeCloseTo(0.5);
  expect(fallAt(fallTimes.mark + 180)).toEqual({ vanished: 1, fallen: 0, over: false });
  expect(fallAt(fallTimes.mark + 180 + 260)).toEqual({ vanished: 1, fallen: 1, over: false });
  expect(fallAt(fallTotalMs).over).toBe(true);
});
