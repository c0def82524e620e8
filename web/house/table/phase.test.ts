import { expect, test } from 'vitest';

import { isOlder, ServerClock, standingOf } from './phase.ts';
import { aRound, banker76 } from './testing.ts';

test.each([
  [1000, 'betting', 20_000],
  [15_999, 'betting', 5001],
  [16_000, 'closing', 5000],
  [20_999, 'closing', 1],
  [21_000, 'locked', 1000],
])('FT-09 (client) at %d by the server the phase is %s', (now, phase, leftMs) => {
  expect(standingOf(aRound(), now)).toEqual({ phase, leftMs });
});

test('nothing is dealt before it is known, whatever the clock says', () => {
  expect(standingOf(aRound(), 25_000)).toEqual({ phase: 'locked', leftMs: 0 });
  expect(standingOf(aRound({ phase: 'dealing', result: banker76 }), 25_000).phase).toBe('dealing');
  expect(standingOf(aRound({ phase: 'result', result: banker76 }), 32_000).phase).toBe('result');
  expect(standingOf(aRound({ phase: 'result', result: banker76 }), 35_000).phase).toBe('waiting');
});

test('the server may be ahead of this clock, never behind', () => {
  expect(standingOf(aRound({ phase: 'locked' }), 20_500).phase).toBe('locked');
  expect(standingOf(aRound({ phase: 'betting' }), 21_500).phase).toBe('locked');
});

test('a round that has not opened yet is waited for', () => {
  expect(standingOf(aRound({ phase: 'waiting' }), 500)).toEqual({ phase: 'waiting', leftMs: 500 });
});

test('a table that sleeps, and a round that was called off', () => {
  expect(standingOf(null, 5)).toEqual({ phase: 'waiting', leftMs: 0 });
  expect(standingOf(aRound({ phase: 'void' }), 5000).phase).toBe('void');
});

test('FT-09 (client) the time is the server’s: the clock of the device may be set while one plays', () => {
  let here = 100;
  const clock = new ServerClock(() => here);
  clock.hear(1_000_000);
  here += 250;
  expect(clock.now()).toBe(1_000_250);
  clock.hear(2_000_000);
  expect(clock.now()).toBe(2_000_000);
});

test('FT-09 (client) a word that was long on its way does not turn the clock back', () => {
  let here = 100;
  const clock = new ServerClock(() => here);
  clock.hear(10_000);
  here += 9000;
  clock.hear(12_000);
  expect(clock.now()).toBe(19_000);
  // An answer that took four seconds says that it is between 19,500 and 23,500.
  const asked = clock.mark();
  here += 4000;
  clock.hear(19_500, asked);
  expect(clock.now()).toBe(23_000);
});

test('FT-09 (client) a clock that is ahead is set right by an answer, as its question is known', () => {
  let here = 100;
  const clock = new ServerClock(() => here);
  clock.hear(60_000);
  const asked = clock.mark();
  here += 500;
  clock.hear(30_000, asked);
  expect(clock.now()).toBe(30_500);
});

test.each([
  ['an earlier round', { number: 38, phase: 'result' }, true],
  ['an earlier phase', { phase: 'betting' }, true],
  ['the same phase', { phase: 'dealing' }, false],
  ['a later phase', { phase: 'result' }, false],
  ['called off', { phase: 'void' }, false],
  ['the next round', { number: 40, phase: 'betting' }, false],
] as const)('of a round that is being dealt, %s: older is %s', (_, told, older) => {
  expect(isOlder(aRound(told), aRound({ phase: 'dealing' }))).toBe(older);
});
