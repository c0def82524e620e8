// How a result is presented. Only a win above the stake gets sound and motion (PP-10).

type Sound = 'winSmall' | 'winMedium' | 'winLarge';

export type Presentation =
  | { kind: 'none' }
  /** The round returned at most the stake. */
  | { kind: 'returned' }
  | { kind: 'win'; sound: Sound; countMs: number; coins: number };

/** A win is medium or large from these multiples of the stake. */
const medium = 10;
const large = 50;

export function presentationOf(stake: number, win: number): Presentation {
  if (win <= 0) return { kind: 'none' };
  if (win <= stake) return { kind: 'returned' };
  if (win < stake * medium) return { kind: 'win', sound: 'winSmall', countMs: 600, coins: 14 };
  if (win < stake * large) return { kind: 'win', sound: 'winMedium', countMs: 1200, coins: 36 };
  return { kind: 'win', sound: 'winLarge', countMs: 2000, coins: 64 };
}
