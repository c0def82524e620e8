import { expect, test } from 'vitest';

import { drawnNumbers, isCommitted } from './fairness-lottery.ts';

const seed = 'b8fbd6d82e0a17025808a6ab3084fd076f1a9aa380c599078daec5aacba1c6a3';
const commitment = 'cc4ebaffb1ccb1936b6a206a4b7348ec309abdbb5c0ffeb990eb2d23a51c42f6';
const salt = '0123456789abcdef0123456789abcdef';

test.each([
  ['ssc', 'ssc-1', '7,0,9,4,8'],
  ['k3', 'k3-1', '4,2,3'],
  ['pk10', 'pk10-1', '03,09,08,02,01,04,06,05,10,07'],
  ['keno', 'keno-1', '02,07,10,15,17,33,39,40,46,48,53,57,58,59,60,62,71,77,78,79'],
] as const)(
  'PP-17 the app’s part: a draw of %s is computed from its seed',
  async (form, code, want) => {
    expect(await drawnNumbers(form, code, { link: 7, seed, salt })).toBe(want);
  },
);

test('an invalid seed yields no result', async () => {
  expect(await drawnNumbers('k3', 'k3-1', { link: 1, seed: 'x', salt })).toBeNull();
});

test('the commitment is the hash of the seed', async () => {
  expect(await isCommitted({ link: 1, seed, commitment, salt })).toBe(true);
  expect(await isCommitted({ link: 1, seed, commitment: seed, salt })).toBe(false);
});
