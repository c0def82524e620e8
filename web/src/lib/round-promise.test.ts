// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';

import { compareWithPromise, findPromise, rememberPromise } from './round-promise.ts';

const promise = { commitment: 'ab'.repeat(32), clientSeed: 'own', nonce: 7 };

beforeEach(() => localStorage.clear());

test.each([
  ['an equal round', {}, null],
  ['another commitment', { commitment: 'cd'.repeat(32) }, 'commitment'],
  ['another nonce', { nonce: 8 }, 'commitment'],
  ['another client seed', { clientSeed: 'theirs' }, 'clientSeed'],
])(
  'PP-17 part: a round is compared with the values from before the spin: %s',
  (_, change, want) => {
    expect(compareWithPromise(promise, { ...promise, ...change })).toBe(want);
  },
);

test('PP-17 part: a difference that was seen once stays, and a later one is found', () => {
  const swapped = { ...promise, commitment: 'cd'.repeat(32) };
  expect(rememberPromise('r-1', promise, swapped)).toBe('commitment');
  expect(rememberPromise('r-2', promise, promise)).toBeNull();
  expect(findPromise('r-1', promise)).toEqual({ promise, broken: 'commitment' });
  expect(findPromise('r-2', promise)?.broken).toBeNull();
  expect(findPromise('r-2', swapped)?.broken).toBe('commitment');
  expect(findPromise('r-3', promise)).toBeNull();
});

test('only the last 100 rounds are stored', () => {
  for (let round = 0; round <= 100; round += 1) rememberPromise(String(round), promise, promise);
  expect(findPromise('0', promise)).toBeNull();
  expect(findPromise('1', promise)).not.toBeNull();
});

test('damaged storage is ignored', () => {
  for (const text of ['{', '{}', '[1, ["r-1"], ["r-1", {}], ["r-1", null]]']) {
    localStorage.setItem('house.promises', text);
    expect(findPromise('r-1', promise)).toBeNull();
  }
});
