// The stake per line: one of the offered amounts, or an amount that the player types.
import { toMinor } from './price.ts';
import type { Play } from './wire.ts';

export type StakeChoice = {
  /** The last valid stake. */
  stake: number;
  /** The text in the field for another amount. Null if an offered amount is chosen. */
  typed: string | null;
};

/** Reports whether a stake is allowed: from the minimum to the maximum, in whole units. */
function isAllowed({ stake: { unit, min, max } }: Play, stake: number, decimals: number): boolean {
  const isWhole = toMinor(stake, decimals) % toMinor(unit, decimals) === 0;
  return Number.isFinite(stake) && stake >= min && stake <= max && isWhole;
}

export const isValidStake = (play: Play, { typed }: StakeChoice, decimals: number): boolean =>
  typed === null || isAllowed(play, Number(typed), decimals);

/** Returns the choice after the player has typed a text. An invalid text keeps the last valid stake. */
export function typeStake(
  play: Play,
  { stake }: StakeChoice,
  text: string,
  decimals: number,
): StakeChoice {
  const typed = text.replaceAll(/[^\d.]/g, '');
  return { typed, stake: isAllowed(play, Number(typed), decimals) ? Number(typed) : stake };
}
