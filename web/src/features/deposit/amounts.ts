import type { DepositMethod } from '../../api/deposits.ts';
import type { Limit } from '../../api/limits.ts';
import { fromMinorUnits, toMinor } from '../../lib/decimal-text.ts';

const parts = 1_000_000n;

/** Returns the fee of an amount, as the server computes it: the share is rounded down. */
export function feeOf(
  amount: string,
  { fee, feeRate }: Pick<DepositMethod, 'fee' | 'feeRate'>,
  decimals: number,
): string {
  const minor = toMinor(amount, decimals) ?? 0n;
  const fixed = toMinor(String(fee), decimals) ?? 0n;
  const rate = BigInt(Math.round(feeRate * Number(parts)));
  return fromMinorUnits(fixed + (minor * rate) / parts, decimals);
}

/** Subtracts decimals exactly. */
export function minus(amount: string, less: string, decimals: number): string {
  return fromMinorUnits(
    (toMinor(amount, decimals) ?? 0n) - (toMinor(less, decimals) ?? 0n),
    decimals,
  );
}

const steps = [1, 2, 5, 10, 20, 50];
const units: Record<string, number> = { VND: 100_000, PKR: 1000, BRL: 20, CNY: 100 };

/** Returns the amounts to offer for a method. */
export function quickAmounts({
  currency,
  min,
  max,
}: Pick<DepositMethod, 'currency' | 'min' | 'max'>) {
  const unit = units[currency] ?? 10;
  return steps.map((step) => step * unit).filter((amount) => amount >= min && amount <= max);
}

type OwnLimit = Pick<Limit, 'kind' | 'period' | 'amount' | 'used'>;

export type DepositLimit = OwnLimit & { amount: number; left: number };

/** No currency has more decimals. */
const maxDecimals = 2;

const leftOf = (amount: number, used: number): number =>
  Math.max(0, Number(minus(String(amount), String(used), maxDecimals)));

/** Returns the member's own deposit limit with the least left, or undefined without one. */
export function tightestLimit(limits: readonly OwnLimit[]): DepositLimit | undefined {
  return limits
    .flatMap((limit): DepositLimit[] =>
      limit.kind === 'deposit' && limit.amount !== null
        ? [{ ...limit, amount: limit.amount, left: leftOf(limit.amount, limit.used) }]
        : [],
    )
    .toSorted((a, b) => a.left - b.left)[0];
}
