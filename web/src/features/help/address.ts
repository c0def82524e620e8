/** The index of the open topic (`p`) and of its open article (`c`), as in the address. Null is closed. */
export type Open = { p: number | null; c: number | null };

const indexOf = (text: string | null): number | null =>
  text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;

export function readOpen(query: URLSearchParams): Open {
  const p = indexOf(query.get('p'));
  return { p, c: p === null ? null : indexOf(query.get('c')) };
}

export function openPath(path: string, { p, c }: Open): string {
  if (p === null) return path;
  return c === null ? `${path}?p=${p}` : `${path}?p=${p}&c=${c}`;
}
