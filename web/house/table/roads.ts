// The two standard charts of earlier results.

/** One round: a side or a tie. Dots mark pairs. */
export type Mark<S extends string> = { side: S | 'tie'; dots?: readonly S[]; text: string };

type BeadCell<S extends string> = { mark: Mark<S>; column: number; row: number };

type BigCell<S extends string> = {
  side: S;
  column: number;
  row: number;
  /** Ties after it, drawn as a stroke. */
  ties: number;
  last: boolean;
};

export const rows = 6;

/** Fills columns from the top. Only whole columns are dropped, so cells keep their rows. */
export function bead<S extends string>(marks: readonly Mark<S>[], columns: number): BeadCell<S>[] {
  const whole = Math.ceil(marks.length / rows);
  const skip = Math.max(0, whole - columns) * rows;
  return marks
    .slice(skip)
    .map((mark, i) => ({ mark, column: Math.floor(i / rows), row: i % rows }));
}

/** Starts a column at each change of side. A run longer than its column continues to the right. */
export function bigRoad<S extends string>(
  marks: readonly Mark<S>[],
  columns: number,
): BigCell<S>[] {
  const occupied = new Set<string>();
  const cells: BigCell<S>[] = [];
  let start = -1;
  for (const { side } of marks) {
    const before = cells.at(-1);
    if (side === 'tie') {
      // A tie before the first side has no cell.
      if (before) before.ties += 1;
      continue;
    }
    let column: number;
    let row: number;
    if (before?.side === side) {
      ({ column, row } = before);
      if (row + 1 < rows && !occupied.has(`${column},${row + 1}`) && column === start) row += 1;
      else column += 1;
    } else {
      start += 1;
      while (occupied.has(`${start},0`)) start += 1;
      column = start;
      row = 0;
    }
    occupied.add(`${column},${row}`);
    cells.push({ side, column, row, ties: 0, last: false });
  }
  const lastCell = cells.at(-1);
  if (lastCell) lastCell.last = true;
  const widest = Math.max(0, ...cells.map(({ column }) => column + 1));
  const skip = Math.max(0, widest - columns);
  for (const cell of cells) cell.column -= skip;
  return cells.filter(({ column }) => column >= 0);
}
