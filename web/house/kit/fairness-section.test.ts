import { expect, test } from 'vitest';

import { withOwnSeed } from './fairness-section.ts';

const next = { commitment: 'ab'.repeat(32), clientSeed: 'stored', nonce: 7 };

test('PP-17 part: the browser draws a new client seed for every spin', () => {
  const drawn = [1, 2, 3].map(() => withOwnSeed({ ...next, fixed: false }).clientSeed);
  expect(new Set([...drawn, 'stored']).size).toBe(4);
  for (const seed of drawn) expect(seed).toMatch(/^[\da-f]{32}$/);
});

test('PP-17 part: a client seed that the player has fixed is kept', () => {
  expect(withOwnSeed({ ...next, fixed: true })).toEqual(next);
});
