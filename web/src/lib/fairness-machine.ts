// A published slot, the shape of its rounds, and the rules that all kinds of slots share.

type Pay = Readonly<Record<string, number>>;

export type Machine = {
  name: string;
  version: number;
  kind: 'lines' | 'ways' | 'cascade';
  rows: number;
  /** Parts of a stake: symbols pay multiples of one part. */
  parts: number;
  /** The wild symbol, which replaces every symbol except the scatter. Empty if there is none. */
  wild: string;
  /** The scatter symbol. It pays anywhere, as a multiple of the whole stake. */
  scatter: string;
  symbols: readonly string[];
  /** Each reel's symbols by stop. A stop shows its symbol in the top row. */
  strips: readonly (readonly string[])[];
  /** Each line's row per reel, from the top. */
  lines: readonly (readonly number[])[];
  /** Each symbol's pay by count, in parts of the stake. In ways games, the pay is for each way. */
  pays: Readonly<Record<string, Pay>>;
  scatterPays: Pay;
  /** Multipliers of a paid spin by number of falls. The last one repeats. */
  multipliers: readonly number[];
  freeRounds: { awards: Pay; multipliers: readonly number[]; most: number } | null;
};

export type Grid = readonly (readonly string[])[];

/** A winning line (from 1), a symbol on neighbouring reels, or symbols anywhere. */
export type Win = {
  line: number;
  ways: number;
  symbol: string;
  count: number;
  times: number;
  /** Reel and row of each winning symbol. */
  cells: readonly (readonly [number, number])[];
};

/** The visible symbols at one moment. A cascade has one such grid more than it has falls. */
export type Step = { grid: Grid; wins: readonly Win[]; multiplier: number };

export type Spin = {
  free: boolean;
  stops: readonly number[];
  steps: readonly Step[];
  awarded: number;
};

/** The paid spin, followed by its free rounds. */
export type Outcome = { spins: readonly Spin[]; freeRounds: number };

/** Returns the value for a count, from a table of minimum counts. */
export function atLeast(pay: Pay, count: number): number {
  return Object.entries(pay).reduce(
    (highest, [least, gives]) => (count >= Number(least) ? Math.max(highest, gives) : highest),
    0,
  );
}

export function cellsOf(
  grid: Grid,
  holds: (symbol: string, reel: number) => boolean,
): [number, number][] {
  return grid.flatMap((column, reel) =>
    column.flatMap((symbol, row): [number, number][] => (holds(symbol, reel) ? [[reel, row]] : [])),
  );
}
