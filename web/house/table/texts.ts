// The table's texts in the player's language.
import { plural, t } from '@lingui/core/macro';

import { formatNumber } from '../../src/lib/money.ts';
import { shortNumber } from '../../src/lib/short-number.ts';
import { amountFormatter } from '../kit/amount-formatter.ts';
import { language } from '../kit/language.ts';
import type { Engine } from './engine.ts';
import type { Phase } from './phase.ts';
import type { Notice } from './state.ts';
import type { SpotRule, TableSession } from './wire.ts';

export type Texts = ReturnType<typeof createTexts>;

const formatDecimal = (value: string): string => {
  const decimals = (value.split('.')[1] ?? '').replace(/0+$/, '').length;
  const pattern = decimals > 0 ? `#,##0.${'0'.repeat(decimals)}` : '#,##0';
  return formatNumber(value, { pattern, language: language() });
};

export function createTexts(
  { player }: Pick<TableSession, 'player'>,
  { spotName }: Pick<Engine, 'spotName'>,
) {
  return {
    ...amountFormatter(player.currency),
    spot: spotName,
    /** Profit to stake, such as 8:1. */
    odds: ({ times }: SpotRule): string => {
      const all = typeof times === 'string' ? [times] : times;
      const [lowest = '0', highest = lowest] = [all[0], all.at(-1)];
      return lowest === highest
        ? `${formatDecimal(lowest)}:1`
        : `${formatDecimal(lowest)}–${formatDecimal(highest)}:1`;
    },
    /** With the server's digits, which are rounded down. */
    percent: (value: string): string => `${formatDecimal(value)}%`,
    people: (players: number, amount: number): string => {
      const many = plural(players, { one: '# player', other: '# players' });
      return `${many} · ${shortNumber(amount, language())}`;
    },
  };
}

export const playersText = (players: number): string =>
  plural(players, { one: '# player', other: '# players' });

/** The first four characters of a ticket's id. */
export const ticketName = (id: string): string => id.replaceAll('-', '').slice(0, 4).toUpperCase();

export function phaseLabel(phase: Phase, { dealingLabel }: Pick<Engine, 'dealingLabel'>): string {
  switch (phase) {
    case 'waiting':
      return t`Next round soon`;
    case 'betting':
      return t`Place your bets`;
    case 'closing':
      return t`Closing soon`;
    case 'locked':
      return t`Bets are closed`;
    case 'dealing':
      return dealingLabel();
    case 'result':
      return t`Result`;
    case 'void':
      return t`Round called off`;
  }
}

export function noticeText(notice: Notice, atMost?: string | null): string {
  switch (notice) {
    case 'closed':
      return t`The betting has closed. This was not staked.`;
    case 'insufficient':
      return t`The balance does not cover this stake.`;
    case 'spotMaximum':
      return atMost ? t`This spot takes ${atMost} at most.` : t`That is more than this spot takes.`;
    case 'ticketMaximum':
      return atMost
        ? t`This table takes ${atMost} at once at most.`
        : t`That is more than this table takes at once.`;
    case 'minimum':
      return t`That is less than this table takes.`;
    case 'multiple':
      return t`This table does not take this amount. Use its chips.`;
    case 'tickets':
      return t`No more tickets in this round. The next one takes yours.`;
    case 'returned':
      return t`Chips that were not confirmed went back. Nothing was staked.`;
    case 'maintenance':
      return t`This table is closed for maintenance. Nothing was staked.`;
    case 'unavailable':
      return t`Not possible right now. Nothing was staked.`;
  }
}

/** Returns the range of the spots' returns, or one value when they are equal. */
export function rangeOf(shares: readonly string[]): string | null {
  const sorted = shares.toSorted((a, b) => Number(a) - Number(b));
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined) return null;
  return Number(lowest) === Number(highest) ? lowest : `${lowest}-${highest}`;
}

/** The phase for screen readers. Deals and results have their own announcements. */
export function phaseAnnouncement(phase: Phase, number: number): string | null {
  switch (phase) {
    case 'betting':
      return t`Round ${number}. Place your bets.`;
    case 'closing':
      return t`The betting closes in five seconds.`;
    case 'locked':
      return t`Bets are closed.`;
    case 'void':
      return t`The round was called off. Stakes come back.`;
    default:
      return null;
  }
}
