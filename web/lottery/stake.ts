// The stake per line: one of the offered amounts, or an amount that the player types.
import { toMinor as minorOfText } from '../src/lib/decimal-text.ts';
import { readAmount } from '../src/lib/typed-amount.ts';
import { toMinor } from './price.ts';
import type { Play } from './wire.ts';

export type StakeChoice = {
  /** The last valid stake. */
  stake: number;
  /** The text in the field for another amount. Null if an offered amount is chosen. */
  typed: string | null;
};

/** Returns a typed stake, or null if it is not an amount from the minimum to the maximum in whole units. */
function readStake(
  { stake: { unit, min, max } }: Play,
  typed: string,
  decimals: number,
): number | null {
  const amount = readAmount(typed, decimals);
  const stake = amount === null ? null : minorOfText(amount, decimals);
  if (stake === null) return null;
  const minor = (limit: number) => BigInt(toMinor(limit, decimals));
  if (stake < minor(min) || stake > minor(max) || stake % minor(unit) !== 0n) return null;
  // The protocol's stakes are JSON numbers, which hold every amount up to the maximum exactly.
  return Number(amount);
}

export const isValidStake = (play: Play, { typed }: StakeChoice, decimals: number): boolean =>
  typed === null || readStake(play, typed, decimals) !== null;

/** Returns the choice after the player has typed a text. An invalid text keeps the last valid stake. */
export function typeStake(
  play: Play,
  { stake }: StakeChoice,
  typed: string,
  decimals: number,
): StakeChoice {
  return { typed, stake: readStake(play, typed, decimals) ?? stake };
}
