import { expect, test } from 'vitest';

import { isOlder, ServerClock, phaseAt, visiblePhase } from './phase.ts';
import { aRound, banker76 } from './testing.ts';

test.each([
  [1000, 'betting', 20_000],
  [15_999, 'betting', 5001],
  [16_000, 'closing', 5000],
  [20_999, 'closing', 1],
  [21_000, 'locked', 1000],
])('FT-09 (client) at server time %d the phase is %s', (now, phase, leftMs) => {
  expect(phaseAt(aRound(), now)).toEqual({ phase, leftMs });
});

test('nothing is dealt before the result arrives', () => {
  expect(phaseAt(aRound(), 25_000)).toEqual({ phase: 'locked', leftMs: 0 });
  expect(phaseAt(aRound({ phase: 'dealing', result: banker76 }), 25_000).phase).toBe('dealing');
  expect(phaseAt(aRound({ phase: 'result', result: banker76 }), 32_000).phase).toBe('result');
  expect(phaseAt(aRound({ phase: 'result', result: banker76 }), 35_000).phase).toBe('waiting');
});

test('the phase follows what the stage has shown', () => {
  const dealt = aRound({ phase: 'dealing', result: banker76 });
  expect(visiblePhase(dealt, 25_000, null)).toEqual({ phase: 'dealing', leftMs: 6000 });
  expect(visiblePhase(dealt, 25_000, dealt.id)).toEqual({ phase: 'result', leftMs: 10_000 });
  const over = aRound({ phase: 'result', result: banker76 });
  expect(visiblePhase(over, 32_000, null)).toEqual({ phase: 'dealing', leftMs: 0 });
  expect(visiblePhase(aRound(), 2000, '39').phase).toBe('betting');
});

test('the server may be ahead of this clock, never behind', () => {
  expect(phaseAt(aRound({ phase: 'locked' }), 20_500).phase).toBe('locked');
  expect(phaseAt(aRound({ phase: 'betting' }), 21_500).phase).toBe('locked');
});

test('a round that has not opened yet is waiting', () => {
  expect(phaseAt(aRound({ phase: 'waiting' }), 500)).toEqual({ phase: 'waiting', leftMs: 500 });
});

test('an idle table is waiting, and a round that was called off is void', () => {
  expect(phaseAt(null, 5)).toEqual({ phase: 'waiting', leftMs: 0 });
  expect(phaseAt(aRound({ phase: 'void' }), 5000).phase).toBe('void');
});

test('FT-09 (client) the time is the server’s, even when the device’s clock changes', () => {
  let local = 100;
  const clock = new ServerClock(() => local);
  clock.sync(1_000_000);
  local += 250;
  expect(clock.now()).toBe(1_000_250);
  clock.sync(2_000_000);
  expect(clock.now()).toBe(2_000_000);
});

test('FT-09 (client) a delayed update does not turn the clock back', () => {
  let local = 100;
  const clock = new ServerClock(() => local);
  clock.sync(10_000);
  local += 9000;
  clock.sync(12_000);
  expect(clock.now()).toBe(19_000);
  // A response that took four seconds sets the time between 19,500 and 23,500.
  const requestedAt = clock.localNow();
  local += 4000;
  clock.sync(19_500, requestedAt);
  expect(clock.now()).toBe(23_000);
});

test('FT-09 (client) a response corrects a clock that is ahead', () => {
  let local = 100;
  const clock = new ServerClock(() => local);
  clock.sync(60_000);
  const requestedAt = clock.localNow();
  local += 500;
  clock.sync(30_000, requestedAt);
  expect(clock.now()).toBe(30_500);
});

test.each([
  ['an earlier round', { number: 38, phase: 'result' }, true],
  ['an earlier phase', { phase: 'betting' }, true],
  ['the same phase', { phase: 'dealing' }, false],
  ['a later phase', { phase: 'result' }, false],
  ['called off', { phase: 'void' }, false],
  ['the next round', { number: 40, phase: 'betting' }, false],
] as const)('of a round that is being dealt, %s: older is %s', (_, change, older) => {
  expect(isOlder(aRound(change), aRound({ phase: 'dealing' }))).toBe(older);
});
