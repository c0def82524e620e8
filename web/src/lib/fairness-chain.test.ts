import { expect, test } from 'vitest';

import { checkSeries, endOfChain } from './fairness-chain.ts';

const seed = 'b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3';
/** SHA-256 of the seed, once and three times. */
const first = 'cc4ebaffb1ccb1936b6a206a4b7348ec309abdbb5c0ffeb990eb2d23a51c42f6';
const end = '1a62c95590fd39bff21408d2fd3ec9d631d558f07e45938decb43ae20331c580';
const salt = '8babe5c34d4f604b12c8b2ee7e8d8e66';
const series = {
  kind: 'table',
  name: 'baccarat-1',
  generation: 2,
  length: 1_000_000,
  end,
  value: '40213',
  salt,
};
const link = { seed, link: 3, clientSeed: `${salt}-baccarat-1`, name: 'baccarat-1' };
const onProgress = () => true;

test('hashing a seed leads to the end of its chain, and can be stopped', async () => {
  expect(await endOfChain(seed, 1, onProgress)).toBe(first);
  expect(await endOfChain(seed, 3, onProgress)).toBe(end);
  expect(await endOfChain(seed, 3, () => false)).toBeNull();
  expect(await endOfChain('x', 3, onProgress)).toBeNull();
  expect(await checkSeries(series, link, () => false)).toBeNull();
});

test.each([
  ['its own series', {}, {}, 'good'],
  ['another link', {}, { link: 2 }, 'wrongEnd'],
  ['another seed', {}, { seed: first }, 'wrongEnd'],
  ['a link after the last one', { length: 2 }, {}, 'wrongEnd'],
  ['another table', {}, { clientSeed: `${salt}-baccarat-2` }, 'wrongSalt'],
  ['a client seed without a salt', {}, { clientSeed: 'baccarat-1' }, 'wrongSalt'],
  [
    'another salt',
    { salt: '0'.repeat(32) },
    { clientSeed: `${'0'.repeat(32)}-baccarat-1` },
    'wrongSalt',
  ],
  ['another public value', { value: '40214' }, {}, 'wrongSalt'],
  ['another generation', { generation: 3 }, {}, 'wrongSalt'],
  ['another end', { end: first }, {}, 'wrongSalt'],
])('PP-17 part: a seed is checked against %s', async (_, ofSeries, ofLink, want) => {
  expect(await checkSeries({ ...series, ...ofSeries }, { ...link, ...ofLink }, onProgress)).toBe(
    want,
  );
});
