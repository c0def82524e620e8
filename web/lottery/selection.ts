// Checks selections and counts their lines. The server applies the same rules (internal/game/lottery/play).
import type { Play } from './wire.ts';

export type SelectionError = {
  entry: string;
  reason: 'empty' | 'entry' | 'twice' | 'tooMany' | 'multiple';
};

export type Parsed = { lines: number } | SelectionError;

/** Positions that are named instead of numbered. */
const thirds = ['first', 'middle', 'last'] as const;

export const isError = (parsed: object): parsed is SelectionError => 'reason' in parsed;

const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** Returns the texts of all numbers of a play. */
export function numbersOf({ pick }: Pick<Play, 'pick'>): string[] {
  return Array.from({ length: pick.to - pick.from + 1 }, (_, index) =>
    padded(pick.from + index, pick.digits),
  );
}

/** Reports whether only the last three positions can be chosen. */
export const isLastThree = ({ playCode, pick }: Pick<Play, 'playCode' | 'pick'>): boolean =>
  pick.kind === 'positions' && playCode === 'last3';

/** Reports whether the order of the numbers matters. */
export const isOrdered = ({ playCode }: Pick<Play, 'playCode'>): boolean => playCode === 'top2';

/** Returns the position names of options, or one empty text. */
export function positionNames({ playCode, pick }: Pick<Play, 'playCode' | 'pick'>): string[] {
  if (pick.kind !== 'option' || pick.positions === 0) return [''];
  if (playCode === 'shape') return [...thirds];
  return Array.from({ length: pick.positions }, (_, index) => String(index + 1));
}

const isNumber = ({ pick }: Play, text: string): boolean =>
  /^\d+$/.test(text) &&
  text.length === pick.digits &&
  Number(text) >= pick.from &&
  Number(text) <= pick.to;

/** Returns the keys of an entry's lines, or null if the entry is invalid. Equal lines have equal keys. */
function linesOf(play: Play, entry: string): string[] | null {
  const { pick } = play;
  switch (pick.kind) {
    case 'number':
      return isNumber(play, entry) ? [entry] : null;
    case 'option': {
      const names = positionNames(play);
      if (names[0] === '') return pick.options?.includes(entry) ? [entry] : null;
      const [position = '', word = '', ...rest] = entry.split(':');
      const isKnown = names.includes(position) && pick.options?.includes(word);
      return isKnown && rest.length === 0 ? [entry] : null;
    }
    case 'set':
    case 'pattern':
      return severalNumbers(play, entry);
    case 'positions':
      return byPosition(play, entry);
  }
}

function severalNumbers(play: Play, entry: string): string[] | null {
  const { pick } = play;
  const prefix = pick.prefix ?? '';
  if (!entry.startsWith(prefix)) return null;
  const numbers = entry.slice(prefix.length).split('-');
  if (numbers.length !== pick.min || !numbers.every((text) => isNumber(play, text))) return null;
  const different = new Set(numbers).size;
  if (different !== (pick.kind === 'pattern' ? 2 : pick.min)) return null;
  return [isOrdered(play) ? entry : numbers.toSorted().join('-')];
}

function byPosition(play: Play, entry: string): string[] | null {
  const { pick } = play;
  const parts = entry.split('|');
  if (parts.length !== pick.positions) return null;
  const positions: string[][] = [];
  for (const part of parts) {
    const numbers = part === '*' ? [] : pick.digits === 1 ? part.split('') : part.split('.');
    const isValid = numbers.every((text) => isNumber(play, text));
    if (part === '' || !isValid || new Set(numbers).size !== numbers.length) return null;
    positions.push(numbers);
  }
  if (!isLastThree(play)) {
    const lines = positions.flatMap((numbers, index) =>
      numbers.map((number) => `${index + 1}:${number}`),
    );
    return lines.length > 0 ? lines : null;
  }
  if (positions.slice(0, 2).some((numbers) => numbers.length > 0)) return null;
  const lines = product(positions.slice(2)).map((line) => line.join('-'));
  return lines.length > 0 ? lines : null;
}

/** Returns every combination of one text from each list. */
export function product(lists: readonly (readonly string[])[]): string[][] {
  let all: string[][] = [[]];
  for (const list of lists) all = all.flatMap((start) => list.map((text) => [...start, text]));
  return all;
}

/** Returns every choice of `size` texts, in the given order. */
export function choices(texts: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return texts.flatMap((text, index) =>
    choices(texts.slice(index + 1), size - 1).map((rest) => [text, ...rest]),
  );
}

/** Returns how many ways there are to choose `size` of `count`. */
export function countChoices(count: number, size: number): number {
  let ways = 1;
  for (let step = 1; step <= size; step += 1) ways = (ways * (count - size + step)) / step;
  return count < size ? 0 : Math.round(ways);
}

/** Returns the number of lines of a selection, or why it is invalid. */
export function parseSelection(play: Play, selection: string): Parsed {
  if (selection === '') return { entry: '', reason: 'empty' };
  const seen = new Set<string>();
  for (const entry of selection.split(',')) {
    const lines = linesOf(play, entry);
    if (!lines) return { entry, reason: 'entry' };
    for (const line of lines) {
      if (seen.has(line)) return { entry, reason: 'twice' };
      seen.add(line);
    }
    if (seen.size > play.stake.maxLines) return { entry, reason: 'tooMany' };
  }
  return { lines: seen.size };
}

/** Returns the outcome that an entry bets on: the entry without its position. */
export const outcomeOf = (entry: string): string => entry.slice(entry.indexOf(':') + 1);
