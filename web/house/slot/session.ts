// The House server's responses for slots.
import type { Currency } from '../../src/lib/currency.ts';
import type { ServerCommitment } from '../kit/fairness-section.ts';

/** By reel, from the top. */
export type Grid = readonly (readonly string[])[];

/** Reel and row, from 0. */
type Cell = readonly [reel: number, row: number];

export type Win = {
  /** From 1; 0 for scatters, ways and cascades. */
  line: number;
  /** 0 for scatters, lines and cascades. */
  ways: number;
  symbol: string;
  count: number;
  /** The multiple from the paytable. */
  times: number;
  /** Includes the step's multiplier. */
  amount: number;
  cells: readonly Cell[];
};

/** One grid. In a cascade each winning step is followed by another. */
export type Step = { grid: Grid; wins: readonly Win[]; multiplier: number; win: number };

/** One turn of the reels. The first spin of a round is paid, the others are free rounds. */
export type Spin = {
  free: boolean;
  stops: readonly number[];
  win: number;
  awarded: number;
  steps: readonly Step[];
};

export type Round = {
  id: string;
  nonce: number;
  at: number;
  /** Empty until the round is settled. */
  spins: readonly Spin[];
  freeRounds: number;
  stake: number;
  win: number;
  net: number;
  commitment: string;
  clientSeed: string;
  /** Null until the round is settled. */
  seed: string | null;
};

/** Payouts by minimum count, as multiples of one part of the stake; for scatters, of the whole stake. */
export type Pays = Readonly<Record<string, number>>;

export type Slot = {
  kind: 'lines' | 'ways' | 'cascade';
  reels: number;
  rows: number;
  stakes: readonly number[];
  stake: number;
  /** The parts that make up a stake. */
  parts: number;
  lines: number;
  ways: number;
  rtp: string;
  strips: readonly (readonly string[])[];
  paylines: readonly (readonly number[])[];
  paytable: Readonly<Record<string, Pays>>;
  symbols: readonly string[];
  /** Empty when the slot has none. */
  wild: string;
  scatter: string;
  /** The multiplier of the first step and after each fall. The last one repeats. */
  multipliers: readonly number[];
  freeRounds: {
    awards: Readonly<Record<string, number>>;
    multipliers: readonly number[];
    most: number;
  } | null;
  open: Round | null;
  last: Round | null;
} & ServerCommitment;

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

export type SpinResponse = { round: Round; balance: number; next: ServerCommitment };

export type StateResponse = {
  balance: number;
  open: Round | null;
  last: Round | null;
  next: ServerCommitment;
};

export type HistoryResponse = { list: readonly Round[]; next: string | null };
