// Computes what bets cost and return. Amounts are exact, because they are in the currency's smallest unit.
import { currencyOf, type Currency } from '../src/lib/currency.ts';
import { fromMinor } from '../src/lib/minor.ts';
import { outcomeOf } from './selection.ts';
import type { Chase, Play } from './wire.ts';

export const decimalsOf = ({ pattern }: Currency): number => pattern.split('.')[1]?.length ?? 0;

/** Returns the format of a currency. The symbol comes from the browser. */
export function findCurrency(code: string): Currency {
  let symbol = code;
  try {
    const format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency: code,
      currencyDisplay: 'narrowSymbol',
    });
    symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code;
  } catch {
    // Play money has no ISO code.
  }
  return currencyOf(code, symbol);
}

export const toMinor = (amount: number, decimals: number): number =>
  Math.round(amount * 10 ** decimals);

export type Priced = { lines: number; stake: number; multiple: number; prizes: number };

/** Returns the cost of bets in the smallest unit. */
export function costOf(bets: readonly Priced[], decimals: number): number {
  return bets.reduce(
    (sum, { lines, stake, multiple, prizes }) =>
      sum + lines * toMinor(stake, decimals) * multiple * prizes,
    0,
  );
}

/** Returns the cost of a chase divided by the cost of its first numero. */
export function chaseFactor({ count, multiplier }: Pick<Chase, 'count' | 'multiplier'>): number {
  let factor = 0;
  for (let step = 0; step < count; step += 1) factor += multiplier ** step;
  return factor;
}

export const amountText = (minor: number, decimals: number): string => fromMinor(minor, decimals);

/** Returns the lowest and the highest odds of a selection. */
export function oddsRange(play: Play, selection: string): { low: string; high: string } | null {
  if (play.odds !== undefined) return { low: play.odds, high: play.odds };
  const chosen = new Set(selection.split(',').map(outcomeOf));
  const sorted = (play.outcomes ?? [])
    .filter(({ when }) => selection === '' || chosen.has(when))
    .map(({ odds }) => odds)
    .toSorted((a, b) => Number(a) - Number(b));
  const [low] = sorted;
  const high = sorted.at(-1);
  return low !== undefined && high !== undefined ? { low, high } : null;
}

/** Returns the payout of one winning line, rounded down to the smallest unit. */
export function payoutOf(stake: number, multiple: number, odds: string, decimals: number): number {
  const [whole = '0', fraction = ''] = odds.split('.');
  const thousandths = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  return Number((BigInt(toMinor(stake, decimals)) * BigInt(multiple) * thousandths) / 1000n);
}

/** Returns n for a chance of "1 in n", which is given as a fraction. */
export function oneIn(chance: string): number {
  const [ways = '0', all = '1'] = chance.split('/');
  // Chances of regional plays have dozens of digits.
  const scaled = (BigInt(all) * 1000n) / BigInt(ways || '1');
  return Number(scaled) / 1000;
}

/** Returns a share such as `0.9699` as a percentage. */
export const percentOf = (share: string): string => (Number(share) * 100).toFixed(2);
