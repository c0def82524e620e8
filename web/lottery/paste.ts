// Pasted texts such as `05 17 x10`: entries of a play, and a multiple for the entries before it.
import { isError, parseSelection, type SelectionError } from './selection.ts';
import type { Play } from './wire.ts';

export type PastedBet = { selection: string; lines: number; multiple: number };

export const maxMultiple = 9999;

/** Returns the bets of a pasted text. Spaces, commas and semicolons separate entries. A line break ends a bet. */
export function parsePasted(play: Play, text: string): PastedBet[] | SelectionError {
  const bets: PastedBet[] = [];
  let group: string[] = [];
  const finish = (multiple: number): SelectionError | null => {
    if (group.length === 0) return null;
    const bet = pastedBet(play, group);
    if (isError(bet)) return bet;
    bets.push({ ...bet, multiple });
    group = [];
    return null;
  };
  for (const line of text.split('\n')) {
    for (const word of line.split(/[\s,;]+/).filter(Boolean)) {
      const multiple = /^[x×](.*)$/iu.exec(word)?.[1];
      if (multiple === undefined) {
        group.push(word);
        continue;
      }
      const isValid = /^\d{1,4}$/.test(multiple) && Number(multiple) >= 1 && group.length > 0;
      if (!isValid) return { entry: word, reason: 'multiple' };
      const error = finish(Number(multiple));
      if (error) return error;
    }
    const error = finish(1);
    if (error) return error;
  }
  return bets.length > 0 ? bets : { entry: '', reason: 'empty' };
}

function pastedBet(
  play: Play,
  group: readonly string[],
): Omit<PastedBet, 'multiple'> | SelectionError {
  const { pick } = play;
  const isSet = pick.kind === 'set' || pick.kind === 'pattern';
  const areNumbers = group.every((text) => text.length === pick.digits && /^\d+$/.test(text));
  // For a play of several numbers, an entry can also be exactly that many single numbers.
  const isOneEntry = isSet && pick.min > 1 && areNumbers && group.length === pick.min;
  const selection = isOneEntry ? (pick.prefix ?? '') + group.join('-') : group.join(',');
  const parsed = parseSelection(play, selection);
  if (!isError(parsed)) return { selection, lines: parsed.lines };
  return isOneEntry ? { ...parsed, entry: group.join(' ') } : parsed;
}
