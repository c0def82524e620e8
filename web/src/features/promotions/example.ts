import type { Promotion } from '../../api/promotions.ts';
import { toMinor } from '../../lib/decimal-text.ts';

/** Hundredths of a percent in the whole. */
const parts = 10_000n;

/** Returns the reward for the smallest deposit or loss in minor units, as the server computes it: the share is rounded down. */
export function exampleReward(
  { percent, min, max }: Pick<Promotion, 'percent' | 'min' | 'max'>,
  decimals: number,
): bigint {
  const base = toMinor(String(min), decimals) ?? 0n;
  const maxReward = toMinor(String(max), decimals) ?? 0n;
  const reward = (base * BigInt(Math.round(percent * 100))) / parts;
  return maxReward > 0n && reward > maxReward ? maxReward : reward;
}
