import { describe, expect, test } from 'vitest';

import { parsePasted } from './paste.ts';
import { countLines, quickCells, randomPicks, rowsOf, selectionOf, toggle } from './picks.ts';
import { isError, parseSelection } from './selection.ts';
import { plays } from './testing.ts';

test.each([
  ['lo2', '05,17', 2],
  ['xien2', '05-17,05-18', 2],
  ['pos', '1|23|*|*|5', 4],
  ['last3', '*|*|1|23|5', 2],
  ['group3', '1-1-2', 1],
  ['two', 'two-1-2', 1],
  ['carPos', '01.05|*|*|*|*|*|*|*|*|10', 3],
  ['top2', '01-02,02-01', 2],
  ['carSide', '1:big,10:odd', 2],
  ['shape', 'first:pair', 1],
  ['sum', 'sum-3,sum-4', 2],
] as const)('a selection of %s: %s', (name, selection, lines) => {
  expect(parseSelection(plays[name], selection)).toEqual({ lines });
});

test.each([
  ['lo2', '', 'empty'],
  ['lo2', '5', 'entry'],
  ['lo2', '05,05', 'twice'],
  ['lo2', '05,,06', 'entry'],
  ['xien2', '05-05', 'entry'],
  ['xien2', '05-17,17-05', 'twice'],
  ['pos', '1|2|3', 'entry'],
  ['pos', '*|*|*|*|*', 'entry'],
  ['pos', '11|*|*|*|*', 'entry'],
  ['last3', '1|*|1|2|3', 'entry'],
  ['group3', '1-2-3', 'entry'],
  ['group3', '1-1-2,2-1-1', 'twice'],
  ['two', '1-2', 'entry'],
  ['top2', '01-11', 'entry'],
  ['carSide', '11:big', 'entry'],
  ['carSide', 'big', 'entry'],
  ['sum', 'sum-5', 'entry'],
] as const)('an invalid selection of %s: “%s”', (name, selection, reason) => {
  expect(parseSelection(plays[name], selection)).toMatchObject({ reason });
});

describe('picks', () => {
  test.each([
    ['lo2', { '': ['05', '17'] }, 2, '05,17'],
    ['lo3', { '0': ['1'], '1': ['2', '3'], '2': ['4'] }, 2, '124,134'],
    ['xien2', { '': ['01', '02', '03'] }, 3, '01-02,01-03,02-03'],
    ['pos', { '1': ['1'], '2': ['2', '3'], '5': ['5'] }, 4, '1|23|*|*|5'],
    ['last3', { '3': ['1'], '4': ['2', '3'], '5': ['5'] }, 2, '*|*|1|23|5'],
    ['group3', { pair: ['1'], single: ['1', '2'] }, 1, '1-1-2'],
    ['two', { '': ['1', '2', '3'] }, 3, 'two-1-2,two-1-3,two-2-3'],
    ['carPos', { '1': ['01', '05'] }, 2, '01.05|*|*|*|*|*|*|*|*|*'],
    ['top2', { '1': ['01', '02'], '2': ['02'] }, 1, '01-02'],
    ['carSide', { '1': ['big'], '10': ['odd'] }, 2, '1:big,10:odd'],
    ['sum', { '': ['sum-3'] }, 1, 'sum-3'],
  ] as const)('of %s make lines and a selection', (name, picks, lines, selection) => {
    const play = plays[name];
    expect(countLines(play, picks)).toBe(lines);
    expect(selectionOf(play, picks)).toBe(selection);
    expect(parseSelection(play, selection)).toEqual({ lines });
  });

  test('that are incomplete have no line', () => {
    expect(countLines(plays.xien2, { '': ['01'] })).toBe(0);
    expect(countLines(plays.last3, { '3': ['1'] })).toBe(0);
    expect(countLines(plays.pick10, { '': ['01', '02'] })).toBe(0);
  });

  test('of many numbers are counted without listing them', () => {
    const all = rowsOf(plays.pick10)[0]!.cells;
    expect(countLines(plays.pick10, { '': all })).toBe(1_646_492_110_120);
  });

  test('a random pick is one line of each play', () => {
    let last = 0;
    const random = (n: number) => (last = (last * 7 + 3) % n);
    for (const play of Object.values(plays)) {
      const picks = randomPicks(play, random);
      expect([play.playCode, countLines(play, picks)]).toEqual([play.playCode, 1]);
      expect(isError(parseSelection(play, selectionOf(play, picks)))).toBe(false);
    }
  });

  test('cells stay in the order of the row, and quick picks choose halves and parities', () => {
    const [row] = rowsOf(plays.lo2);
    const picks = toggle(toggle({}, row!, '17'), row!, '05');
    expect(picks).toEqual({ '': ['05', '17'] });
    expect(toggle(picks, row!, '05')).toEqual({ '': ['17'] });
    expect(quickCells(row!, 'big')[0]).toBe('50');
    expect(quickCells(row!, 'even')).toHaveLength(50);
  });
});

describe('pasted texts', () => {
  test('a multiple ends a bet, and so does a line break', () => {
    expect(parsePasted(plays.lo2, '05 17 x10\n33;34')).toEqual([
      { selection: '05,17', lines: 2, multiple: 10 },
      { selection: '33,34', lines: 2, multiple: 1 },
    ]);
  });

  test('for a play of two numbers, two words are one entry', () => {
    expect(parsePasted(plays.xien2, '05 17 X2 05-18')).toEqual([
      { selection: '05-17', lines: 1, multiple: 2 },
      { selection: '05-18', lines: 1, multiple: 1 },
    ]);
    expect(parsePasted(plays.two, '1 2 ×3')).toEqual([
      { selection: 'two-1-2', lines: 1, multiple: 3 },
    ]);
  });

  test.each([
    ['x5', 'multiple'],
    ['05 x0', 'multiple'],
    ['05 x99999', 'multiple'],
    ['5', 'entry'],
    ['05 05', 'twice'],
    ['  ', 'empty'],
  ])('“%s” is refused', (text, reason) => {
    expect(parsePasted(plays.lo2, text)).toMatchObject({ reason });
  });
});
