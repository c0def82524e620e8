import { expect, test } from 'vitest';

import vectors from '../../../internal/game/fairness/testdata/vectors.json';
import { commitmentOf, isClientSeed, parseSeed, Stream } from './fairness.ts';

/* oxlint-disable no-await-in-loop -- a stream is read in order */

test('PP-17 browser part: the server’s test vectors have the same results here', async () => {
  expect(vectors.length).toBeGreaterThan(0);
  for (const { seed: hex, commitment, clientSeed, nonce, words, below, ints } of vectors) {
    const seed = parseSeed(hex)!;
    expect(await commitmentOf(seed)).toBe(commitment);
    const stream = new Stream(seed, clientSeed, nonce);
    const drawn: number[] = [];
    for (const _ of words) drawn.push(await stream.word());
    expect(drawn).toEqual(words);
    const numbers = new Stream(seed, clientSeed, nonce);
    const got: number[] = [];
    for (const n of below) got.push(await numbers.int(n));
    expect(got).toEqual(ints);
  }
});

test.each(['', 'ab', 'g'.repeat(64), '0'.repeat(63), '0'.repeat(65), ` ${'0'.repeat(63)}`])(
  '%j is not a seed',
  (text) => expect(parseSeed(text)).toBeNull(),
);

test('a seed may have upper or lower case letters', () => {
  expect(parseSeed('AB'.repeat(32))).toEqual(parseSeed('ab'.repeat(32)));
});

test.each([
  ['a', true],
  ['A-z_9', true],
  ['x'.repeat(64), true],
  ['', false],
  ['x'.repeat(65), false],
  ['a:b', false],
  ['á', false],
  ['a b', false],
])('the client seed %j is valid: %s', (text, valid) => expect(isClientSeed(text)).toBe(valid));
