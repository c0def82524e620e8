// The cells that the player has chosen in a picker, and the selection that they make.
import {
  choices,
  countChoices,
  isLastThree,
  isOrdered,
  numbersOf,
  positionNames,
  product,
} from './selection.ts';
import type { Play } from './wire.ts';

/** A row of a picker: its cells and its label. */
export type Row = {
  id: string;
  label:
    | { kind: 'none' }
    | { kind: 'position'; number: number }
    | { kind: 'third'; name: string }
    | { kind: 'digit'; place: number }
    | { kind: 'pair' }
    | { kind: 'single' };
  cells: string[];
};

/** The chosen cells of each row. */
export type Picks = Readonly<Record<string, readonly string[]>>;

/** Numbers with more digits are chosen digit by digit. */
const maxGridDigits = 2;

const digits = Array.from({ length: 10 }, (_, digit) => String(digit));

const isByDigit = ({ pick }: Play): boolean =>
  pick.kind === 'number' && pick.digits > maxGridDigits;

export function rowsOf(play: Play): Row[] {
  const { pick } = play;
  const numbers = numbersOf(play);
  switch (pick.kind) {
    case 'option':
      return positionNames(play).map((name) => ({
        id: name,
        label:
          name === ''
            ? { kind: 'none' }
            : /^\d+$/.test(name)
              ? { kind: 'position', number: Number(name) }
              : { kind: 'third', name },
        cells: pick.options ?? [],
      }));
    case 'positions': {
      const first = isLastThree(play) ? pick.positions - 3 : 0;
      return Array.from({ length: pick.positions - first }, (_, index) => ({
        id: String(first + index + 1),
        label: { kind: 'position', number: first + index + 1 },
        cells: numbers,
      }));
    }
    case 'pattern':
      return [
        { id: 'pair', label: { kind: 'pair' }, cells: numbers },
        { id: 'single', label: { kind: 'single' }, cells: numbers },
      ];
    case 'set':
      if (isOrdered(play))
        return [1, 2].map((number) => ({
          id: String(number),
          label: { kind: 'position', number },
          cells: numbers,
        }));
      return [{ id: '', label: { kind: 'none' }, cells: numbers }];
    case 'number':
      if (isByDigit(play))
        return Array.from({ length: pick.digits }, (_, index) => ({
          id: String(index),
          label: { kind: 'digit', place: pick.digits - 1 - index },
          cells: digits,
        }));
      return [{ id: '', label: { kind: 'none' }, cells: numbers }];
  }
}

/** Adds or removes a cell. The cells stay in the order of the row. */
export function toggle(picks: Picks, row: Row, cell: string): Picks {
  const chosen = picks[row.id] ?? [];
  const next = chosen.includes(cell)
    ? chosen.filter((other) => other !== cell)
    : row.cells.filter((other) => other === cell || chosen.includes(other));
  return { ...picks, [row.id]: next };
}

/** Returns how many lines the picks have. It may be more than a bet allows. */
export function countLines(play: Play, picks: Picks): number {
  const { pick } = play;
  const chosen = (id: string) => picks[id] ?? [];
  const rows = rowsOf(play);
  if (isByDigit(play) || isLastThree(play))
    return rows.reduce((lines, { id }) => lines * chosen(id).length, 1);
  if (pick.kind === 'pattern') return differentPairs(chosen('pair'), chosen('single')).length;
  if (isOrdered(play)) return differentPairs(chosen('1'), chosen('2')).length;
  if (pick.kind === 'set') return countChoices(chosen('').length, pick.min);
  return rows.reduce((lines, { id }) => lines + chosen(id).length, 0);
}

/** Returns the selection of the picks. Call it only if the number of lines is allowed. */
export function selectionOf(play: Play, picks: Picks): string {
  const { pick } = play;
  const chosen = (id: string) => picks[id] ?? [];
  const rows = rowsOf(play);
  switch (pick.kind) {
    case 'option':
      return rows
        .flatMap(({ id }) => chosen(id).map((word) => (id === '' ? word : `${id}:${word}`)))
        .join(',');
    case 'positions': {
      const separator = pick.digits === 1 ? '' : '.';
      return Array.from(
        { length: pick.positions },
        (_, index) => chosen(String(index + 1)).join(separator) || '*',
      ).join('|');
    }
    case 'pattern':
      return differentPairs(chosen('pair'), chosen('single'))
        .map(([pair, single]) => `${pair}-${pair}-${single}`)
        .join(',');
    case 'set': {
      const entries = isOrdered(play)
        ? differentPairs(chosen('1'), chosen('2'))
        : choices(chosen(''), pick.min);
      return entries.map((entry) => (pick.prefix ?? '') + entry.join('-')).join(',');
    }
    case 'number':
      if (isByDigit(play))
        return product(rows.map(({ id }) => chosen(id)))
          .map((number) => number.join(''))
          .join(',');
      return chosen('').join(',');
  }
}

const differentPairs = (first: readonly string[], second: readonly string[]): string[][] =>
  product([first, second]).filter(([a, b]) => a !== b);

/** Returns a number from 0 to n - 1. */
export type Random = (n: number) => number;

const secureRandom: Random = (n) => {
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const word = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    if (word < limit) return word % n;
  }
};

function sample(cells: readonly string[], count: number, random: Random): string[] {
  const remaining = [...cells];
  const taken = new Set<string>();
  while (taken.size < count && remaining.length > 0) {
    for (const cell of remaining.splice(random(remaining.length), 1)) taken.add(cell);
  }
  return cells.filter((cell) => taken.has(cell));
}

/** Returns the picks of one random line. */
export function randomPicks(play: Play, random: Random = secureRandom): Picks {
  const { pick } = play;
  const rows = rowsOf(play);
  if (pick.kind === 'pattern' || isOrdered(play)) {
    const cells = sample(numbersOf(play), 2, random);
    if (random(2) === 1) cells.reverse();
    return Object.fromEntries(rows.map(({ id }, index) => [id, cells.slice(index, index + 1)]));
  }
  if (isByDigit(play) || isLastThree(play))
    return Object.fromEntries(rows.map(({ id, cells }) => [id, sample(cells, 1, random)]));
  const row = rows[random(rows.length)];
  const size = pick.kind === 'set' ? pick.min : 1;
  return row ? { [row.id]: sample(row.cells, size, random) } : {};
}

export type QuickPick = 'all' | 'big' | 'small' | 'odd' | 'even';

/** Returns the cells of a row that a quick pick chooses. */
export function quickCells(row: Row, quick: QuickPick): string[] {
  const middle = row.cells.length / 2;
  return row.cells.filter((cell, index) => {
    if (quick === 'all') return true;
    if (quick === 'big') return index >= middle;
    if (quick === 'small') return index < middle;
    return Number(cell) % 2 === (quick === 'odd' ? 1 : 0);
  });
}

/** Reports whether the rows of a play have quick picks. Rows of words have none. */
export const hasQuickPicks = ({ pick }: Play): boolean => pick.kind !== 'option';
