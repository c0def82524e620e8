// The slot's texts in the player's language.
import { plural, t } from '@lingui/core/macro';

import { formatNumber } from '../../src/lib/money.ts';
import { shortExact } from '../../src/lib/short-number.ts';
import { symbolName } from '../../src/lib/symbol-words.ts';
import { amountFormatter } from '../kit/amount-formatter.ts';
import { presentationOf } from '../kit/celebrate.ts';
import { language } from '../kit/language.ts';
import { finalStep } from './scenes.ts';
import type { Round, Session, Slot, Win } from './session.ts';
import { themeOf } from './themes.ts';

export type Texts = {
  money: (amount: number) => string;
  /** Abbreviates exact amounts, such as 10K or 1.5M. Writes other amounts out. */
  short: (amount: number) => string;
  /** With its sign. */
  net: (amount: number) => string;
  symbol: (name: string) => string;
  /** Describes one win of a round with this stake. */
  win: (win: Win, stake: number) => string;
  /** Counts free rounds and falls; empty for a plain round. */
  summary: (round: Round) => string;
  result: (round: Round) => string;
};

const short = (amount: number): string => shortExact(amount, language());

/** Formats a multiple of the stake with only the decimals it needs; null if it has more than the paytable's. */
export function multiple(times: number): string | null {
  const rounded = Math.round(times * 1e4) / 1e4;
  if (Math.abs(times - rounded) > 1e-9) return null;
  const decimals = String(rounded).split('.')[1]?.length ?? 0;
  const pattern = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return formatNumber(rounded, { pattern, language: language() });
}

export function createTexts({ player, game }: Pick<Session, 'player' | 'game'>): Texts {
  const theme = themeOf(game.theme);
  const symbol = (name: string): string => symbolName(name, theme);
  const { money, net } = amountFormatter(player.currency);

  function win({ line, ways, symbol: of, count, amount }: Win, stake: number): string {
    const name = symbol(of);
    const paid = money(amount);
    if (ways > 0) {
      const many = waysText(ways);
      return t`${many}: ${count} × ${name}, ${paid}`;
    }
    if (line === 0) return t`${count} × ${name}: ${paid}`;
    // As the paytable: times the whole stake.
    const times = multiple(amount / stake);
    // A payout that was rounded down is no exact multiple.
    if (times === null) return t`Line ${line}: ${count} × ${name}, ${paid}`;
    const whole = money(stake);
    return t`Line ${line}: ${count} × ${name}, ×${times} of ${whole}`;
  }

  /** The whole result, for screen readers. */
  function result(round: Round): string {
    const { stake, win: back } = round;
    const after = net(back - stake);
    const amount = money(back);
    const presentation = presentationOf(stake, back).kind;
    if (presentation === 'none') return t`Nothing won in this round. After the stake: ${after}.`;
    const wins = finalStep(round)?.step.wins ?? [];
    const how = summary(round) || wins.map((one) => win(one, stake)).join('; ');
    return presentation === 'win'
      ? t`You won ${amount}. ${how}. After the stake: ${after}.`
      : t`${amount} came back. ${how}. After the stake: ${after}.`;
  }

  return { money, short, net, symbol, win, summary, result };
}

function summary({ spins, freeRounds }: Round): string {
  const falls = spins.reduce((sum, { steps }) => sum + steps.length - 1, 0);
  const parts = [];
  if (freeRounds > 0) parts.push(freeRoundsText(freeRounds));
  if (falls > 0) parts.push(plural(falls, { one: '# fall', other: '# falls' }));
  return parts.join(', ');
}

const linesText = (lines: number): string => plural(lines, { one: '# line', other: '# lines' });

const waysText = (ways: number): string => plural(ways, { one: '# way', other: '# ways' });

export const freeRoundsText = (rounds: number): string =>
  plural(rounds, { one: '# free round', other: '# free rounds' });

/** How the stake is spread: lines, ways or anywhere. */
export function stakeSpreadText({ kind, lines, ways }: Slot, each: string): string {
  if (kind === 'lines') return `${linesText(lines)} × ${each}`;
  return kind === 'ways' ? waysText(ways) : t`Pays anywhere`;
}

export function ruleText({ kind, lines }: Slot): string {
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
