import { expect, test } from 'vitest';

import { computeFall, winningCells } from './fall.ts';
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

test('winning symbols vanish, those above fall, and new ones follow', () => {
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
  const { removed, drops } = computeFall(from, to, 'scatter');
  expect(removed).toEqual([
    [true, false, true, false],
    [false, false, false, false],
  ]);
  // The two new symbols fall two rows, the king one; the queen stays.
  expect(drops).toEqual([
    [2, 2, 1, 0],
    [0, 0, 0, 0],
  ]);
});

test('scatters pay and do not vanish', () => {
  const from = aStep({ grid: [['scatter', 'A']], wins: [win('scatter', [[0, 0]])] });
  expect(computeFall(from, [['scatter', 'A']], 'scatter')).toEqual({
    removed: [[false, false]],
    drops: [[0, 0]],
  });
});

test('a wild in two wins vanishes once and is lit once', () => {
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
  expect(winningCells(wins)).toEqual([
    [0, 0],
    [0, 1],
    [0, 2],
  ]);
  expect(computeFall(from, [['10', 'J', 'wild', 'Q']], 'scatter')).toEqual({
    removed: [[true, true, true, false]],
    drops: [[3, 3, 3, 0]],
  });
});
