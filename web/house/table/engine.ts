import type { SpotLook } from './spot.ts';
import type { PastRound, SpotRule } from './wire.ts';

export type StageView = {
  root: HTMLElement;
  setLabels: () => void;
  /** Shows the last result, or an empty stage. */
  showIdle: (last: unknown) => void;
  /** Plays a result, starting at the given time within it, and calls `done` at the end. Returns a function that stops it. */
  deal: (result: unknown, sinceMs: number, hooks: DealHooks) => () => void;
};

type DealHooks = {
  /** Describes the latest step of the deal. */
  announce: (text: string) => void;
  done: () => void;
};

type Cloth = {
  root: HTMLElement;
  /** Spots that do not fit on the table layout, by id prefix. They open in a sheet. */
  more?: readonly { title: () => string; prefix: string }[];
};

/** The earlier results, under the stage. */
export type HistoryView = { root: HTMLElement; draw: (history: readonly PastRound[]) => void };

export type MakeSpot = (id: string, look: SpotLook) => HTMLElement;

export type Engine = {
  backdrop: { dark: string; light: string };
  /** Two hands at the sides, or one object in the centre. Selects CSS rules. */
  stageLayout: 'hands' | 'centre';
  stage: () => StageView;
  history: () => HistoryView;
  cloth: (spot: MakeSpot) => Cloth;
  spotName: (id: string) => string;
  /** Whether to show the illustrated dealer, labelled as virtual. */
  host: boolean;
  /** How long the stage plays a result, in ms. The server pays just before the end: see the phases in tables.json. */
  dealMs: (result: unknown) => number;
  isWinning: (result: unknown, rule: SpotRule) => boolean;
  /** The label from when bets close until the result is known. */
  dealingLabel: () => string;
  outcomeText: (result: unknown) => string;
  /** The last result drawn for the corner of the stage. The default is its text. */
  lastResult?: (result: unknown) => (Node | string)[];
  rules: () => readonly string[];
};
