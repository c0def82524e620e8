// How a result is shown. Only what is more than the stake is celebrated: a return at or below it is a loss or a draw,
// and is told without anything that moves or sounds (PP-10).

/** A larger win has a longer tune. */
type Sound = 'winSmall' | 'winMedium' | 'winLarge';

export type Show =
  | { kind: 'none' }
  /** Something came back, but not more than was staked. */
  | { kind: 'still' }
  | { kind: 'win'; sound: Sound; countMs: number; coins: number };

/** From these multiples of the stake on a win is medium, and large. */
const medium = 10;
const large = 50;

export function showOf(stake: number, win: number): Show {
  if (win <= 0) return { kind: 'none' };
  if (win <= stake) return { kind: 'still' };
  if (win < stake * medium) return { kind: 'win', sound: 'winSmall', countMs: 600, coins: 14 };
  if (win < stake * large) return { kind: 'win', sound: 'winMedium', countMs: 1200, coins: 36 };
  return { kind: 'win', sound: 'winLarge', countMs: 2000, coins: 64 };
}
