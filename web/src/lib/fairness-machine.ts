// A slot as it is published, what a round of it shows, and what all kinds of them count alike.

type Pay = Readonly<Record<string, number>>;

/** A machine as it is published. */
export type Machine = {
  name: string;
  version: number;
  kind: 'lines' | 'ways' | 'cascade';
  rows: number;
  /** What a stake is counted in: symbols pay times one of its parts. */
  parts: number;
  /** Stands for every symbol but the scatter; empty where there is none. */
  wild: string;
  /** Pays anywhere, times the whole stake. */
  scatter: string;
  symbols: readonly string[];
  /** Of each reel, from its stop 0 on: a stop shows its symbol in the top row. */
  strips: readonly (readonly string[])[];
  /** Of each line, the row on each reel, from the top. */
  lines: readonly (readonly number[])[];
  /** Of each symbol, by how many at least: times a part of the stake, on ways for each way. */
  pays: Readonly<Record<string, Pay>>;
  scatterPays: Pay;
  /** Of a paid spin: at first, and after each fall; the last one stays. */
  multipliers: readonly number[];
  freeRounds: { awards: Pay; multipliers: readonly number[]; most: number } | null;
};

export type Grid = readonly (readonly string[])[];

/** A line that pays, from 1; a symbol on neighbouring reels; a symbol anywhere, or the scatters. */
export type Win = {
  line: number;
  ways: number;
  symbol: string;
  count: number;
  times: number;
  /** Reel and row of each symbol. */
  cells: readonly (readonly [number, number])[];
};

/** What is seen at once: a spin of a cascade has one more than there were falls. */
export type Step = { grid: Grid; wins: readonly Win[]; multiplier: number };

export type Spin = {
  free: boolean;
  stops: readonly number[];
  steps: readonly Step[];
  awarded: number;
};

/** The paid spin, then the free rounds that it brought. */
export type Outcome = { spins: readonly Spin[]; freeRounds: number };

/** What a count of something gives, where counts are named from which it gives so much. */
export function atLeast(pay: Pay, count: number): number {
  return Object.entries(pay).reduce(
    (most, [least, gives]) => (count >= Number(least) ? Math.max(most, gives) : most),
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
