import { expect, test } from 'vitest';

import { fallOf, wonCells } from './fall.ts';
import type { Win } from './session.ts';
import { aStep } from './testing.ts';

const win = (symbol: string, cells: Win['cells']): Win => ({
  line: 0,
  ways: 0,
  symbol,
  count: cells.length,
  times: 1,
  amount: 1,
  cells,
});

test('what won vanishes, what stood above comes down, and new ones come from above', () => {
  const from = aStep({
    grid: [
      ['A', 'K', 'A', 'Q'],
      ['J', 'J', 'J', 'J'],
    ],
    wins: [
      win('A', [
        [0, 0],
        [0, 2],
      ]),
    ],
  });
  const to = [
    ['10', '9', 'K', 'Q'],
    ['J', 'J', 'J', 'J'],
  ];
  const { gone, drops } = fallOf(from, to, 'scatter');
  expect(gone).toEqual([
    [true, false, true, false],
    [false, false, false, false],
  ]);
  // Two are new, and come two rows; the king one row; the queen stays.
  expect(drops).toEqual([
    [2, 2, 1, 0],
    [0, 0, 0, 0],
  ]);
});

test('scatters pay and stay', () => {
  const from = aStep({ grid: [['scatter', 'A']], wins: [win('scatter', [[0, 0]])] });
  expect(fallOf(from, [['scatter', 'A']], 'scatter')).toEqual({
    gone: [[false, false]],
    drops: [[0, 0]],
  });
});

test('a wild that is part of two wins vanishes once, and is lit once', () => {
  const wins = [
    win('A', [
      [0, 0],
      [0, 1],
    ]),
    win('K', [
      [0, 1],
      [0, 2],
    ]),
  ];
  const from = aStep({ grid: [['A', 'wild', 'K', 'Q']], wins });
  expect(wonCells(wins)).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
  expect(fallOf(from, [['10', 'J', 'wild', 'Q']], 'scatter')).toEqual({
    gone: [[true, true, true, false]],
    drops: [[3, 3, 3, 0]],
  });
});
