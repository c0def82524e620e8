// Computes a slot's outcome from its published strips, lines and pays. The rules and test rounds are the server's
// (internal/game/house/reels, slot, ways, cascade).
import { cascadeSteps } from './fairness-cascade.ts';
import { lineWins } from './fairness-lines.ts';
import {
  atLeast,
  cellsOf,
  type Grid,
  type Machine,
  type Outcome,
  type Spin,
  type Win,
} from './fairness-machine.ts';
import { waysWins } from './fairness-ways.ts';

/** Plays a bet: the stops of the paid spin by reel, then those of each free round. */
export async function playRound(
  machine: Machine,
  draw: (below: number) => Promise<number>,
): Promise<Outcome> {
  const spins: Spin[] = [];
  let freeRounds = 0;
  for (let left = 1; left > 0; left -= 1) {
    const stops: number[] = [];
    for (const strip of machine.strips) {
      // oxlint-disable-next-line no-await-in-loop -- each reel takes the next number of one stream
      stops.push(await draw(strip.length));
    }
    const spin = evaluate(machine, stops, spins.length > 0);
    const awarded = Math.min(spin.awarded, (machine.freeRounds?.most ?? 0) - freeRounds);
    spins.push({ ...spin, awarded });
    freeRounds += awarded;
    left += awarded;
  }
  return { spins, freeRounds };
}

export function evaluate(machine: Machine, stops: readonly number[], free = false): Spin {
  const shown = machine.strips.map((strip, reel) =>
    Array.from(
      { length: machine.rows },
      (_, row) => strip[((stops[reel] ?? 0) + row) % strip.length] ?? '',
    ),
  );
  const multipliers = free ? (machine.freeRounds?.multipliers ?? []) : machine.multipliers;
  const found = stepsOf(machine, shown, stops);
  // Scatters count after the last fall.
  const scatters = scatterWin(machine, found.at(-1)?.grid ?? []);
  const steps = found.map(({ grid, wins }, falls) => ({
    grid,
    wins: falls === found.length - 1 && scatters.win ? [...wins, scatters.win] : wins,
    multiplier: multipliers[Math.min(falls, multipliers.length - 1)] ?? 1,
  }));
  return { free, stops, steps, awarded: atLeast(machine.freeRounds?.awards ?? {}, scatters.count) };
}

function stepsOf(
  machine: Machine,
  grid: Grid,
  stops: readonly number[],
): { grid: Grid; wins: Win[] }[] {
  switch (machine.kind) {
    case 'lines':
      return [{ grid, wins: lineWins(machine, grid) }];
    case 'ways':
      return [{ grid, wins: waysWins(machine, grid) }];
    case 'cascade':
      return cascadeSteps(machine, grid, stops);
  }
}

function scatterWin(machine: Machine, grid: Grid): { count: number; win: Win | null } {
  const { scatter: symbol, scatterPays, kind, strips } = machine;
  const cells = cellsOf(grid, (name) => name === symbol);
  const count = kind === 'lines' ? Math.min(cells.length, strips.length) : cells.length;
  const times = atLeast(scatterPays, count);
  return { count, win: times > 0 ? { line: 0, ways: 0, symbol, count, times, cells } : null };
}

/** Returns the payout in minor units. Each win is rounded down. */
export function payout(machine: Machine, { spins }: Outcome, minorStake: bigint): bigint {
  const parts = BigInt(machine.parts);
  return spins
    .flatMap(({ steps }) => steps)
    .flatMap(({ wins, multiplier }) => wins.map((win) => ({ win, multiplier })))
    .reduce((sum, { win: { symbol, ways, times }, multiplier }) => {
      const whole = BigInt(times) * BigInt(Math.max(1, ways)) * BigInt(multiplier) * minorStake;
      return sum + (symbol === machine.scatter ? whole : whole / parts);
    }, 0n);
}
