import { expect, test } from 'vitest';

import {
  beats,
  fallAt,
  fallBeats,
  fallLength,
  landingAfter,
  shortestCycle,
  turnAt,
} from './timing.ts';

test('PP-10 (client) a round takes 2.5 seconds or more, however fast the answer comes', () => {
  expect(shortestCycle).toBe(2500);
  for (const answered of [0, 1, 80, 500, 1040]) {
    const { stops, result } = landingAfter(answered, 5);
    expect(stops).toEqual([1300, 1520, 1740, 1960, 2180]);
    expect(result).toBe(2500);
  }
});

test('a late answer moves every stop and the result by as much', () => {
  const { stops, result } = landingAfter(5040, 5);
  expect(stops).toEqual([5300, 5520, 5740, 5960, 6180]);
  expect(result).toBe(6500);
});

test('a reel is pressed, drawn back, gathers speed and runs on until it knows its stop', () => {
  expect(turnAt(0, 7, null)).toEqual({ top: 7, swing: 0, pace: 0 });
  expect(turnAt(80, 7, null).top).toBe(7);
  // Drawn back: against the way it will run.
  expect(turnAt(170, 7, null).top).toBeGreaterThan(7);
  expect(turnAt(349, 7, null).pace).toBeLessThan(1);
  expect(turnAt(350, 7, null).pace).toBe(1);
  const [one, two] = [turnAt(3000, 7, null).top, turnAt(3100, 7, null).top];
  expect(one - two).toBeCloseTo(2.4);
});

test('a reel comes to its stop without a jump, swings ten pixels over it and stands', () => {
  const to = { stop: 12, at: 1300 };
  const at = (time: number) => turnAt(time, 7, to, 100);
  expect(at(1299).top).toBeCloseTo(12.024);
  expect(at(1300)).toEqual({ top: 12, swing: 0, pace: 0 });
  const swings = Array.from({ length: 161 }, (_, i) => at(1300 + i).swing);
  expect(Math.max(...swings)).toBeGreaterThan(8);
  expect(Math.max(...swings)).toBeLessThanOrEqual(10);
  expect(at(1300 + beats.overshoot).swing).toBeCloseTo(0);
  expect(at(9000)).toMatchObject({ top: 12, pace: 0 });
});

test('a machine with more reels stops them within the same time', () => {
  const { stops, result } = landingAfter(0, 6);
  expect([stops[0], stops.at(-1), stops.length, result]).toEqual([1300, 2180, 6, 2500]);
});

test('what has won is seen, vanishes in 180 ms, and the rest falls in 260', () => {
  expect([fallBeats.vanish, fallBeats.fall]).toEqual([180, 260]);
  expect(fallAt(fallBeats.mark)).toEqual({ vanished: 0, fallen: 0, over: false });
  expect(fallAt(fallBeats.mark + 90).vanished).toBeCloseTo(0.5);
  expect(fallAt(fallBeats.mark + 180)).toEqual({ vanished: 1, fallen: 0, over: false });
  expect(fallAt(fallBeats.mark + 180 + 260)).toEqual({ vanished: 1, fallen: 1, over: false });
  expect(fallAt(fallLength).over).toBe(true);
});
