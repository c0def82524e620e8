import type { QueryClient } from '@tanstack/react-query';

import { limitsQuery, type Limit } from '../../api/limits.ts';
import { send, type LimitTold, type Peer } from '../../lib/game-messages.ts';

/** The limit that leaves the least for stakes: the lowest applies. */
export function roomOf(limits: readonly Limit[]): LimitTold | null {
  const told = limits.flatMap(({ kind, period, amount, used }): LimitTold[] => {
    if (kind === 'deposit' || amount === null) return [];
    const left = Math.max(0, Math.round((amount - used) * 100) / 100);
    return [{ kind, period, amount, left }];
  });
  return told.toSorted((a, b) => a.left - b.left)[0] ?? null;
}

/** Asks what the member's limits leave, and tells a game of our own. Without an answer it is told that nobody knows. */
export async function tellRoom(cache: QueryClient, game: Peer): Promise<void> {
  const asked = cache.fetchQuery({ ...limitsQuery, staleTime: 0 });
  const limit = await asked.then(({ limits }) => roomOf(limits)).catch(() => null);
  send(game, { type: 'room', limit });
}
