// What the House's server tells a slot's frame.
import type { Currency } from '../../src/lib/currency.ts';
import type { Promised } from '../kit/seal.ts';

/** By reel, from the top. */
export type Grid = readonly (readonly string[])[];

/** Reel and row, from 0. */
type Cell = readonly [reel: number, row: number];

export type Win = {
  /** From 1; 0 where no line is needed: for scatters, on ways and in a cascade. */
  line: number;
  /** On how many ways; 0 for scatters, on lines and in a cascade. */
  ways: number;
  symbol: string;
  count: number;
  /** As the paytable has it. */
  times: number;
  /** With the step's multiplier. */
  amount: number;
  cells: readonly Cell[];
};

/** What is seen at once. A cascade has another step after each that won something. */
export type Step = { grid: Grid; wins: readonly Win[]; multiplier: number; win: number };

/** One turn of the reels: the first of a round is the paid one, the others are free rounds of the same bet. */
export type Spin = {
  free: boolean;
  stops: readonly number[];
  win: number;
  /** Free rounds that this spin brought. */
  awarded: number;
  steps: readonly Step[];
};

export type Round = {
  id: string;
  nonce: number;
  at: number;
  /** None until the round is settled. */
  spins: readonly Spin[];
  freeRounds: number;
  stake: number;
  win: number;
  net: number;
};

/** How many of a symbol at least, and what they pay: times a part of the stake, or of the whole for scatters. */
export type Pays = Readonly<Record<string, number>>;

export type Slot = {
  kind: 'lines' | 'ways' | 'cascade';
  reels: number;
  rows: number;
  stakes: readonly number[];
  stake: number;
  /** What a stake is counted in: symbols pay times one of its parts. */
  parts: number;
  lines: number;
  ways: number;
  rtp: string;
  strips: readonly (readonly string[])[];
  paylines: readonly (readonly number[])[];
  paytable: Readonly<Record<string, Pays>>;
  symbols: readonly string[];
  /** Empty where there is none. */
  wild: string;
  scatter: string;
  /** What wins are multiplied by: at first, and after each fall; the last one stays. */
  multipliers: readonly number[];
  freeRounds: {
    awards: Readonly<Record<string, number>>;
    multipliers: readonly number[];
    most: number;
  } | null;
  /** A round that is not settled yet. */
  open: Round | null;
  last: Round | null;
} & Promised;

export type Session = {
  token: string;
  game: { code: string; name: string; engine: string; theme: string; vendor: string };
  player: {
    nickname: string;
    language: string;
    trial: boolean;
    currency: Currency & { decimals: number };
  };
  balance: number;
  slot: Slot;
};

export type SpinAnswer = { round: Round; balance: number; next: Promised };

export type StateAnswer = {
  balance: number;
  open: Round | null;
  last: Round | null;
  next: Promised;
};

export type HistoryAnswer = { list: readonly Round[]; next: string | null };
