// What the slot says, in the player's language, with amounts as the app writes them.
import { plural, t } from '@lingui/core/macro';

import { shortExact } from '../../src/lib/short-number.ts';
import { symbolName } from '../../src/lib/symbol-words.ts';
import { amountsIn } from '../kit/amount.ts';
import { showOf } from '../kit/celebrate.ts';
import { language } from '../kit/language.ts';
import { lastOf } from './scenes.ts';
import type { Round, Session, Slot, Win } from './session.ts';
import { themeOf } from './themes.ts';

export type Words = {
  money: (amount: number) => string;
  /** As it stands between its buttons: 10K, 1.5M; exact, or written out. */
  short: (amount: number) => string;
  /** With its sign. */
  net: (amount: number) => string;
  symbol: (name: string) => string;
  /** One win, of a round with this stake. */
  win: (win: Win, stake: number) => string;
  /** How a round of several spins or falls came about; empty for a plain one. */
  course: (round: Round) => string;
  result: (round: Round) => string;
};

const short = (amount: number): string => shortExact(amount, language());

export function wordsFor({ player, game, slot }: Pick<Session, 'player' | 'game' | 'slot'>): Words {
  const theme = themeOf(game.theme);
  const symbol = (name: string): string => symbolName(name, theme);
  const { money, net } = amountsIn(player.currency);

  function win({ line, ways, symbol: of, count, amount }: Win, stake: number): string {
    const name = symbol(of);
    const paid = money(amount);
    if (ways > 0) {
      const many = waysWord(ways);
      return t`${many}: ${count} × ${name}, ${paid}`;
    }
    if (line === 0) return t`${count} × ${name}: ${paid}`;
    const part = stake / slot.parts;
    const times = Math.round(amount / part);
    // Where the stake cannot be parted evenly the win was rounded down, and no product says so.
    if (times * part !== amount) return t`Line ${line}: ${count} × ${name}, ${paid}`;
    const each = money(part);
    return t`Line ${line}: ${count} × ${name}, ${times} × ${each}`;
  }

  /** The whole result in one breath, for those who hear it. */
  function result(round: Round): string {
    const { stake, win: back } = round;
    const after = net(back - stake);
    const amount = money(back);
    const show = showOf(stake, back).kind;
    if (show === 'none') return t`Nothing won in this round. After the stake: ${after}.`;
    const wins = lastOf(round)?.step.wins ?? [];
    const how = course(round) || wins.map((one) => win(one, stake)).join('; ');
    return show === 'win'
      ? t`You won ${amount}. ${how}. After the stake: ${after}.`
      : t`${amount} came back. ${how}. After the stake: ${after}.`;
  }

  return { money, short, net, symbol, win, course, result };
}

function course({ spins, freeRounds }: Round): string {
  const falls = spins.reduce((sum, { steps }) => sum + steps.length - 1, 0);
  const parts = [];
  if (freeRounds > 0) parts.push(freeWord(freeRounds));
  if (falls > 0) parts.push(plural(falls, { one: '# fall', other: '# falls' }));
  return parts.join(', ');
}

const linesWord = (lines: number): string => plural(lines, { one: '# line', other: '# lines' });

const waysWord = (ways: number): string => plural(ways, { one: '# way', other: '# ways' });

export const freeWord = (rounds: number): string =>
  plural(rounds, { one: '# free round', other: '# free rounds' });

/** What a stake lies on. */
export function spreadWord({ kind, lines, ways }: Slot, each: string): string {
  if (kind === 'lines') return `${linesWord(lines)} × ${each}`;
  return kind === 'ways' ? waysWord(ways) : t`Pays anywhere`;
}

/** How one wins here, in a sentence. */
export function ruleWord({ kind, lines }: Slot): string {
  switch (kind) {
    case 'lines':
      return plural(lines, {
        one: 'Your stake lies on # line.',
        other: 'Your stake lies on all # lines.',
      });
    case 'ways':
      return t`Equal symbols on neighbouring reels win, in any row.`;
    case 'cascade':
      return t`Equal symbols win anywhere, vanish, and others fall.`;
  }
}
