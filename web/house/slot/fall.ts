// Which symbols of a cascade vanish, and how far the others fall.
import type { Grid, Step, Win } from './session.ts';

export type Fall = {
  /** By reel and row: whether the symbol vanishes. */
  removed: readonly (readonly boolean[])[];
  /** By reel and row of the new grid: how many rows the symbol fell. */
  drops: readonly (readonly number[])[];
};

/** Returns each winning cell once. A wild may be part of several wins. */
export function winningCells(wins: readonly Win[]): Win['cells'] {
  const cells = wins.flatMap((win) => win.cells);
  return [...new Map(cells.map((cell) => [cell.join('/'), cell])).values()];
}

/** Scatters do not vanish. They are counted after the last fall. */
export function computeFall(from: Step, to: Grid, scatter: string): Fall {
  const won = new Set(
    winningCells(from.wins.filter(({ symbol }) => symbol !== scatter)).map((cell) =>
      cell.join('/'),
    ),
  );
  const removed = from.grid.map((column, reel) =>
    column.map((_, row) => won.has(`${reel}/${row}`)),
  );
  const drops = to.map((column, reel) => {
    const stay = (removed[reel] ?? []).flatMap((vanishes, row) => (vanishes ? [] : [row]));
    const fresh = column.length - stay.length;
    return column.map((_, row) => (row < fresh ? fresh : row - (stay[row - fresh] ?? row)));
  });
  return { removed, drops };
}
