import { expect, test } from 'vitest';

import { exampleReward } from './example.ts';

test.each([
  [0.29, 50_000, 0, 0, 145n],
  [0.29, 50_000, 144, 0, 144n],
  [50, 100_000, 1_000_000, 0, 50_000n],
  [1.15, 10.05, 0, 2, 11n],
  [0.01, 99, 0, 0, 0n],
])(
  'PP-11 part: %d %% of %d with the maximum %d and %d decimals',
  (percent, min, max, decimals, reward) => {
    expect(exampleReward({ percent, min, max }, decimals)).toBe(reward);
  },
);
