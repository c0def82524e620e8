// Cascades (internal/game/house/cascade): enough equal symbols anywhere win and vanish, and the strips refill the reels from above.
// A wild counts for every symbol except the scatter.
import { atLeast, cellsOf, type Grid, type Machine, type Win } from './fairness-machine.ts';

/** A safety limit that no real outcome reaches. */
const maxFalls = 40;

export function cascadeSteps(
  machine: Machine,
  shown: Grid,
  stops: readonly number[],
): { grid: Grid; wins: Win[] }[] {
  const above = stops.map((stop) => stop - 1);
  const steps: { grid: Grid; wins: Win[] }[] = [];
  for (let grid = shown; ;) {
    const wins = anywhere(machine, grid);
    steps.push({ grid, wins });
    if (wins.length === 0 || steps.length > maxFalls) return steps;
    const gone = new Set([machine.wild, ...wins.map(({ symbol }) => symbol)]);
    grid = grid.map((column, reel) => {
      const strip = machine.strips[reel] ?? [];
      const left = column.filter((symbol) => !gone.has(symbol));
      while (left.length < column.length) {
        const at = above[reel] ?? 0;
        left.unshift(strip[((at % strip.length) + strip.length) % strip.length] ?? '');
        above[reel] = at - 1;
      }
      return left;
    });
  }
}

function anywhere({ symbols, wild, scatter, pays }: Machine, grid: Grid): Win[] {
  return symbols.flatMap((symbol): Win[] => {
    if (symbol === scatter || symbol === wild) return [];
    const cells = cellsOf(grid, (name) => name === symbol || name === wild);
    const times = atLeast(pays[symbol] ?? {}, cells.length);
    return times > 0 ? [{ line: 0, ways: 0, symbol, count: cells.length, times, cells }] : [];
  });
}
