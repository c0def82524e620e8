// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';

import { countAt, countUp } from './count-up.ts';
import { forgetSession, keepSession, keepShown, keptSession, shownRound } from './keep.ts';
import { paceGuard } from './pace.ts';

test('counting up never shows more than was won, and ends exactly there', () => {
  const parts = Array.from({ length: 101 }, (_, i) => countAt(30_000.55, i / 100, 2));
  expect(parts.every((shown, i) => i === 0 || shown >= (parts[i - 1] ?? 0))).toBe(true);
  expect(parts.at(-1)).toBe(30_000.55);
  expect(countAt(999, 0.5, 0) % 1).toBe(0);
});

test('a tap skips to the end, once', () => {
  const show = vi.fn();
  const done = vi.fn();
  const skip = countUp(500, 600, 0, show, done);
  skip();
  skip();
  expect(show.mock.calls).toEqual([[500]]);
  expect(done).toHaveBeenCalledOnce();
});

test('below 45 frames for two seconds the particles go, then pixels', () => {
  const guard = paceGuard();
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

test('a page that was not seen is no slow page', () => {
  const guard = paceGuard();
  for (let i = 0; i < 20; i += 1) expect(guard(5000)).toBe('none');
});

test('PP-15 (resume) a session is kept for its own ticket alone, and not in the storage that the app has too', () => {
  keepSession('ticket', { token: 't' });
  expect([...Object.entries(sessionStorage), ...Object.entries(localStorage)]).toEqual([]);
  expect(keptSession('ticket')).toEqual({ token: 't' });
  expect(keptSession('other')).toBeNull();
  forgetSession();
  expect(keptSession('ticket')).toBeNull();
  history.replaceState({ ticket: 'ticket' }, '');
  expect(keptSession('ticket')).toBeNull();
  keepShown('dragon', 'r-1');
  expect([shownRound('dragon'), shownRound('other')]).toEqual(['r-1', null]);
});
