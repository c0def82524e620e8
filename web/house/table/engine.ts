// What each table's game brings to the shared table: its stage, its cloth, its roads and its words.
import type { SpotLook } from './spot.ts';
import type { Past, SpotRule } from './wire.ts';

/** What is seen above the cloth. */
export type StageView = {
  root: HTMLElement;
  /** The words of the stage, which follow the language. */
  name: () => void;
  /** Nothing is dealt yet; what was dealt last may stay in sight, as the past that it is. */
  rest: (last: unknown) => void;
  /** Shows a result from the moment that it has reached, and says when the last of it lies open. */
  deal: (result: unknown, sinceMs: number, hooks: DealHooks) => () => void;
};

type DealHooks = {
  /** What has just been seen, in words. */
  tell: (text: string) => void;
  done: () => void;
};

type Cloth = {
  root: HTMLElement;
  /** Spots for which the cloth has no room, by kind: they come up on a sheet. */
  more?: readonly { title: () => string; prefix: string }[];
};

/** What was dealt before, under the stage. */
export type PastView = { root: HTMLElement; draw: (history: readonly Past[]) => void };

/** Makes the button of a spot, with what the engine draws into it. */
export type MakeSpot = (id: string, look: SpotLook) => HTMLElement;

export type Engine = {
  backdrop: { dark: string; light: string };
  stage: () => StageView;
  road: () => PastView;
  cloth: (spot: MakeSpot) => Cloth;
  spotName: (id: string) => string;
  /** A host of our own drawing stands there; it is said that it is none of flesh. */
  host: boolean;
  won: (result: unknown, rule: SpotRule) => boolean;
  /** What is done between the close and the result: cards are dealt, dice are rolled. */
  dealing: () => string;
  /** A result in a few words. */
  outcome: (result: unknown) => string;
  /** The same for the corner of the stage, where it can be drawn. */
  past?: (result: unknown) => (Node | string)[];
  rules: () => readonly string[];
};
