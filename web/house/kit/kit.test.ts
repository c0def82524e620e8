// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

import { countAt, countUp } from './count-up.ts';
import { frameRateGuard } from './frame-rate.ts';
import {
  clearSession,
  saveSession,
  saveShownRound,
  savedSession,
  lastShownRound,
} from './frame-storage.ts';

test('counting up never exceeds the win and ends exactly at it', () => {
  const parts = Array.from({ length: 101 }, (_, i) => countAt(30_000.55, i / 100, 2));
  expect(parts.every((shown, i) => i === 0 || shown >= (parts[i - 1] ?? 0))).toBe(true);
  expect(parts.at(-1)).toBe(30_000.55);
  expect(countAt(999, 0.5, 0) % 1).toBe(0);
});

test('a tap skips to the end once', () => {
  const show = vi.fn();
  const done = vi.fn();
  const skip = countUp(500, 600, 0, show, done);
  skip();
  skip();
  expect(show.mock.calls).toEqual([[500]]);
  expect(done).toHaveBeenCalledOnce();
});

test('below 45 frames per second for two seconds, first particles and then pixels are reduced', () => {
  const guard = frameRateGuard();
  const second = (frameMs: number) =>
    Array.from({ length: Math.ceil(1000 / frameMs) }, () => guard(frameMs)).at(-1);
  expect([second(16), second(16), second(16)]).toEqual(['none', 'none', 'none']);
  second(30);
  second(30);
  expect(second(30)).toBe('particles');
  second(30);
  second(30);
  expect(second(30)).toBe('pixels');
});

test('time on a hidden page does not count as slow', () => {
  const guard = frameRateGuard();
  for (let i = 0; i < 20; i += 1) expect(guard(5000)).toBe('none');
});

test('PP-15 (resume) a session is saved for its ticket only, and not in storage shared with the app', () => {
  saveSession('ticket', { token: 't' });
  expect([...Object.entries(sessionStorage), ...Object.entries(localStorage)]).toEqual([]);
  expect(savedSession('ticket')).toEqual({ token: 't' });
  expect(savedSession('other')).toBeNull();
  clearSession();
  expect(savedSession('ticket')).toBeNull();
  history.replaceState({ ticket: 'ticket' }, '');
  expect(savedSession('ticket')).toBeNull();
  saveShownRound('dragon', 'r-1');
  expect([lastShownRound('dragon'), lastShownRound('other')]).toEqual(['r-1', null]);
});
