/** Seeded randomness: the same seed always draws the same picture. */
export interface Random {
  /** A number in [from, to). */
  range(from: number, to: number): number;
  /** A whole number in [from, to]. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** The list in another order; the list itself stays. */
  shuffle<T>(list: readonly T[]): T[];
  chance(part: number): boolean;
}

/** FNV-1a, to turn a name into a seed. */
export function seedOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash >>> 0;
}

/** A small counter-based generator (splitmix32): plenty for placing bubbles. */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    range: (from, to) => from + next() * (to - from),
    int,
    pick: (list) => {
      const chosen = list[int(0, list.length - 1)];
      if (chosen === undefined) throw new Error('nothing to pick from');
      return chosen;
    },
    shuffle: (list) =>
      list
        .map((item) => ({ item, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item),
    chance: (part) => next() < part,
  };
}
