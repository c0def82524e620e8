// Games of the lottery and the returns of their odds.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '@mantine/core';
import type { BigNumber } from 'bignumber.js';

import { Decimal } from '../../../src/lib/decimal.ts';

export type GameRow = {
  id: string;
  code: string;
  name: string;
  type: string;
  region?: string;
  status: string;
  changed: number;
  version: number;
};

type Outcome = {
  when: string;
  odds: string;
  chance: string;
  rtp: string;
  standard: string;
  highest: string;
};

export type Play = {
  prizeMode: string;
  playCode: string;
  name: string;
  rebate: string;
  changed: boolean;
  outcomes: readonly Outcome[];
};

export type Game = GameRow & {
  plays: readonly Play[];
  return: string;
  limit: number;
  currency: string;
};

const statuses: Record<string, { label: MessageDescriptor; color: string }> = {
  on: { label: msg`On`, color: 'green' },
  off: { label: msg`Off`, color: 'red' },
};

export const gameStateFilter = {
  name: 'state',
  kind: 'choice' as const,
  label: msg`Status`,
  options: Object.entries(statuses).map(([value, { label }]) => ({ value, label })),
};

export function GameStatus({ status }: { status: string }) {
  const { i18n } = useLingui();
  const known = statuses[status];
  return <Badge color={known?.color ?? 'gray'}>{known ? i18n._(known.label) : status}</Badge>;
}

/** Returns odds, or null if the text is not positive or has more than three decimal places. */
function readOdds(text: string): BigNumber | null {
  const odds = /^\d{1,12}(?:\.\d{1,3})?$/.test(text.trim()) ? new Decimal(text.trim()) : null;
  return odds?.isPositive() && !odds.isZero() ? odds : null;
}

const ratioOf = (chance: string): [ways: BigNumber, all: BigNumber] => {
  const [ways = '0', all = '1'] = chance.split('/');
  return [new Decimal(ways), new Decimal(all)];
};

/** Returns the return to players of odds plus rebate, with four decimal places, rounded down like on the server. */
export function returnOf(odds: string, { chance, rebate }: { chance: string; rebate: string }) {
  const value = readOdds(odds);
  const [ways, all] = ratioOf(chance);
  return value?.times(ways).div(all).plus(rebate).toFixed(4) ?? null;
}

/** Reports whether the server would refuse the odds: they are not a valid number, or they are above the highest odds allowed. */
export function isTooHigh(odds: string, highest: string): boolean {
  const [value, max] = [readOdds(odds), readOdds(highest)];
  return value === null || max === null || value.gt(max);
}

/** Returns a chance as text: the exact fraction if it is short, otherwise `1 / n`, rounded down. */
export function chanceText(chance: string): string {
  if (chance.length <= 16) return chance;
  const [ways, all] = ratioOf(chance);
  return `1 / ${all.div(ways).toFixed(3)}`;
}
