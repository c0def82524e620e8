// Equal symbols on neighbouring reels, from the left, in any rows (internal/game/house/ways).
import { atLeast, cellsOf, type Grid, type Machine, type Win } from './fairness-machine.ts';

export function waysWins({ symbols, wild, scatter, pays }: Machine, grid: Grid): Win[] {
  return symbols.flatMap((symbol): Win[] => {
    if (symbol === wild || symbol === scatter) return [];
    const holds = (name: string) => name === symbol || name === wild;
    const shown = grid.map((column) => column.filter(holds).length);
    const end = shown.indexOf(0);
    const count = end === -1 ? shown.length : end;
    const times = atLeast(pays[symbol] ?? {}, count);
    if (times === 0) return [];
    const ways = shown.slice(0, count).reduce((product, n) => product * n, 1);
    const cells = cellsOf(grid, (name, reel) => reel < count && holds(name));
    return [{ line: 0, ways, symbol, count, times, cells }];
  });
}
