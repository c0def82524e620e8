// Equal symbols along a line, from the left (internal/game/house/slot).
import type { Grid, Machine, Win } from './fairness-machine.ts';

export function lineWins(machine: Machine, grid: Grid): Win[] {
  return machine.lines.flatMap((rows, index): Win[] => {
    const win = lineWin(
      machine,
      rows.map((row, reel) => grid[reel]?.[row] ?? ''),
    );
    if (win.times === 0) return [];
    const cells = rows.slice(0, win.count).map((row, reel) => [reel, row] as const);
    return [{ line: index + 1, ways: 0, ...win, cells }];
  });
}

/** Wilds count as the first other symbol from the left, or as themselves when that pays more. */
function lineWin(
  { wild, scatter, pays }: Machine,
  symbols: readonly string[],
): Pick<Win, 'symbol' | 'count' | 'times'> {
  const stops = (holds: (symbol: string) => boolean) => {
    const end = symbols.findIndex((symbol) => !holds(symbol));
    return end === -1 ? symbols.length : end;
  };
  const wilds = stops((symbol) => symbol === wild);
  const other = symbols[wilds];
  const of = other === undefined || other === scatter ? wild : other;
  const count = of === wild ? wilds : stops((symbol) => symbol === wild || symbol === of);
  const times = pays[of]?.[count] ?? 0;
  const own = pays[wild]?.[wilds] ?? 0;
  return own >= times ? { symbol: wild, count: wilds, times: own } : { symbol: of, count, times };
}
