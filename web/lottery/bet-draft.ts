// What the player has entered on the page of a game and not yet added to the cart.
import type { Picks } from './picks.ts';
import type { StakeChoice } from './stake.ts';
import type { PlayType } from './wire.ts';

export type BetDraft = {
  /** The chosen play. Absent: the first one. */
  playCode?: string;
  /** By play. */
  picks: Readonly<Record<string, Picks>>;
  /** By play. */
  stakes: Readonly<Record<string, StakeChoice>>;
  multiple: number;
};

const emptyDraft: BetDraft = { picks: {}, stakes: {}, multiple: 1 };

/** The drafts of both play types, which have different plays. */
export const emptyDrafts: Readonly<Record<PlayType, BetDraft>> = {
  ent: emptyDraft,
  trad: emptyDraft,
};
