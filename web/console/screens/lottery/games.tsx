// Games of the lottery and the returns of their odds.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '@mantine/core';

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

/** Returns odds in thousandths, or null if the text is not positive or has more than three decimal places. */
function thousandths(text: string): bigint | null {
  const [, whole = '', decimals = ''] = /^(\d{1,12})(?:\.(\d{1,3}))?$/.exec(text.trim()) ?? [];
  if (!whole) return null;
  const value = BigInt(whole + decimals.padEnd(3, '0'));
  return value > 0n ? value : null;
}

const scale = 10_000n;

/** Returns the exact return to players of odds plus rebate, with four decimal places, rounded down like on the server. */
export function returnOf(odds: string, { chance, rebate }: { chance: string; rebate: string }) {
  const value = thousandths(odds);
  const [numerator = '0', denominator = '1'] = chance.split('/');
  const [whole = '0', decimals = ''] = rebate.split('.');
  if (value === null) return null;
  const rebateUnit = 10n ** BigInt(decimals.length);
  const returnDenominator = 1000n * BigInt(denominator) * rebateUnit;
  const returnNumerator =
    value * BigInt(numerator) * rebateUnit + BigInt(whole + decimals) * 1000n * BigInt(denominator);
  const share = (returnNumerator * scale) / returnDenominator;
  return `${share / scale}.${String(share % scale).padStart(4, '0')}`;
}

/** Reports whether the server would refuse the odds: they are not a valid number, or they are above the highest odds allowed. */
export function isTooHigh(odds: string, highest: string): boolean {
  const [value, maximum] = [thousandths(odds), thousandths(highest)];
  return value === null || maximum === null || value > maximum;
}

/** Returns a chance as text: the exact fraction if it is short, otherwise a rounded `1 / n`. */
export function chanceText(chance: string): string {
  const [numerator = '0', denominator = '1'] = chance.split('/');
  return chance.length <= 16
    ? chance
    : `1 / ${(Number(denominator) / Number(numerator)).toFixed(3)}`;
}
