import { queryOptions } from '@tanstack/react-query';

import { ApiError } from '../i18n/api-error.ts';
import { complete } from '../lib/complete.ts';
import { client, value } from './client.ts';
import { viewerKey } from './member.ts';
import type { components } from './schema.d.ts';

/** The games that can win a jackpot. */
type PlayedFor = components['schemas']['ContentPlayedFor'];

/** A jackpot at one moment, and how it grows from there. */
export type Jackpot = {
  /** The amount is simulated. It must have a caption that says so. */
  simulated: boolean;
  /** The amount in minor units at `at`, in milliseconds of performance.now(). */
  amount: number;
  at: number;
  perTick: number;
  tickMs: number;
  start: number;
  rules: string;
  /** The currency of the amounts. Empty for the merchant's currency. */
  currency: string;
  /** Empty for a simulated jackpot. */
  games: readonly PlayedFor[];
};

const dayMs = 86_400_000;

/** The range in which a simulated counter starts. */
export const bounds = { min: 3_620_281_923, max: 7_809_521_168 } as const;

const minRefetchMs = 10_000;
const maxRefetchMs = 120_000;

/** Returns the delay before the next refetch of a real pool. It grows while the pool cannot be read. */
export const refetchDelay = (readAt: number, now: number): number =>
  Math.min(maxRefetchMs, Math.max(minRefetchMs, now - readAt));

export const jackpotKey = [...viewerKey, 'jackpot'] as const;

/** The jackpot to show, or null if there is none. */
export const jackpotQuery = queryOptions({
  queryKey: [...jackpotKey, 'shown'],
  queryFn: async (): Promise<Jackpot | null> => {
    const response = await value(client.GET('/wps/system/jackpot'));
    if (response.source === 'none') return null;
    // Never show a simulated amount in place of a missing one.
    if (!Number.isFinite(response.amount)) throw new ApiError('system.error', 200);
    const defaults = {
      start: response.amount,
      perTick: 0,
      tickMs: 200,
      rules: '/m/jackpot',
      currency: '',
      games: [],
    };
    const { source, ...jackpot } = complete<typeof response>(defaults, response);
    const simulated = source !== 'pool';
    // A real pool grows by stakes only. A constant `at` lets the query cache see that it is unchanged.
    return { ...jackpot, simulated, at: simulated ? performance.now() : 0 };
  },
  staleTime: (query) => (query.state.data?.simulated === false ? minRefetchMs : 60_000),
  refetchInterval: ({ state }) =>
    state.data?.simulated === false && refetchDelay(state.dataUpdatedAt, Date.now()),
});

/** Reports whether a stake on a game can win the jackpot. A simulated one is shown with any game. */
export const canWin = (
  { simulated, games }: Pick<Jackpot, 'simulated' | 'games'>,
  game: { category: string; vendor: string },
): boolean =>
  simulated ||
  games.some(
    ({ category, vendors }) => category === game.category && vendors.includes(game.vendor),
  );

/** Returns the amount at `now`. It grows in whole ticks. */
export function amountAt({ amount, at, perTick, tickMs }: Jackpot, now: number): number {
  return amount + Math.floor(Math.max(0, now - at) / tickMs) * perTick;
}

/** Returns the counter of one game. All games share a real pool. Each game has its own simulated counter with a daily start. */
export function jackpotOf(jackpot: Jackpot, gameId: string): Jackpot {
  if (!jackpot.simulated) return jackpot;
  const { min, max } = bounds;
  const grown = jackpot.amount - jackpot.start;
  // Leave room for the growth of a whole day, so that the start does not move before midnight.
  const startRange = max - min - jackpot.perTick * Math.ceil(dayMs / jackpot.tickMs);
  // Shift the start by a hash of the game, so that counters differ.
  const start = min + ((jackpot.start - min + hash(gameId)) % startRange);
  return { ...jackpot, start, amount: start + grown };
}

/** Returns the FNV-1a hash. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return sum >>> 0;
}
