import type { QueryClient } from '@tanstack/react-query';

import { limitsQuery, type Limit } from '../../api/limits.ts';
import { send, type LimitState, type Peer } from '../../lib/game-messages.ts';

/** Returns the limit with the smallest remaining amount. */
export function remainingLimit(limits: readonly Limit[]): LimitState | null {
  const candidates = limits.flatMap(({ kind, period, amount, used }): LimitState[] => {
    if (kind === 'deposit' || amount === null) return [];
    const left = Math.max(0, Math.round((amount - used) * 100) / 100);
    return [{ kind, period, amount, left }];
  });
  return candidates.toSorted((a, b) => a.left - b.left)[0] ?? null;
}

/** Sends the game the limit with the smallest remaining amount, or null if the limits cannot be fetched. */
export async function sendRemainingLimit(cache: QueryClient, game: Peer): Promise<void> {
  const limit = await cache
    .fetchQuery({ ...limitsQuery, staleTime: 0 })
    .then(({ limits }) => remainingLimit(limits))
    .catch(() => null);
  send(game, { type: 'room', limit });
}
