// How a cascade falls: which symbols vanish, and how far each that is seen afterwards has come down.
import type { Grid, Step, Win } from './session.ts';

export type Fall = {
  /** By reel and row: whether the symbol there vanishes. */
  gone: readonly (readonly boolean[])[];
  /** By reel and row of what stands afterwards: how many rows it has fallen. */
  drops: readonly (readonly number[])[];
};

/** Where something won, each cell once: a wild may be part of several wins. */
export function wonCells(wins: readonly Win[]): Win['cells'] {
  const cells = wins.flatMap((win) => win.cells);
  return [...new Map(cells.map((cell) => [cell.join('/'), cell])).values()];
}

/** Scatters stay: they are counted when all has fallen. */
export function fallOf(from: Step, to: Grid, scatter: string): Fall {
  const won = new Set(
    wonCells(from.wins.filter(({ symbol }) => symbol !== scatter)).map((cell) => cell.join('/')),
  );
  const gone = from.grid.map((column, reel) => column.map((_, row) => won.has(`${reel}/${row}`)));
  const drops = to.map((column, reel) => {
    const stay = (gone[reel] ?? []).flatMap((vanishes, row) => (vanishes ? [] : [row]));
    const fresh = column.length - stay.length;
    return column.map((_, row) => (row < fresh ? fresh : row - (stay[row - fresh] ?? row)));
  });
  return { gone, drops };
}
