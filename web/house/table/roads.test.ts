import { expect, test } from 'vitest';

import { bead, bigRoad, type Mark } from './roads.ts';

type Side = 'p' | 'b';
const marks = (text: string): Mark<Side>[] =>
  text.split('').map((one) => ({ side: one === 't' ? 'tie' : (one as Side), text: one }));
const places = (text: string, columns = 14) =>
  bigRoad(marks(text), columns).map(({ column, row }) => `${column},${row}`);

test('the bead road fills column by column and drops whole columns', () => {
  const cells = bead(marks('pbpbpbb'), 7);
  expect(cells.at(-1)).toMatchObject({ column: 1, row: 0 });
  const long = bead(marks('p'.repeat(6 * 7 + 1)), 7);
  expect(long).toHaveLength(37);
  expect(long.at(-1)).toMatchObject({ column: 6, row: 0 });
});

test('the big road starts a column at each change of side', () => {
  expect(places('ppbp')).toEqual(['0,0', '0,1', '1,0', '2,0']);
});

test('a tie is a stroke through the cell before it', () => {
  expect(bigRoad(marks('tptt'), 14)).toEqual([
    { side: 'p', column: 0, row: 0, ties: 2, last: true },
  ]);
});

test('a long run turns right, and the next column goes around it', () => {
  expect(places('ppppppppb')).toEqual([
    '0,0',
    '0,1',
    '0,2',
    '0,3',
    '0,4',
    '0,5',
    '1,5',
    '2,5',
    '1,0',
  ]);
  // The second run meets the end of the first.
  expect(places(`${'p'.repeat(7)}${'b'.repeat(6)}`).slice(-2)).toEqual(['1,4', '2,4']);
});

test('only the latest columns are shown', () => {
  expect(places('pbpb', 2)).toEqual(['0,0', '1,0']);
});
