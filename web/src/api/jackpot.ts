import { queryOptions } from '@tanstack/react-query';

import { ApiError } from '../i18n/api-error.ts';
import { complete } from '../lib/complete.ts';
import { client, value } from './client.ts';
import { everyoneKey } from './member.ts';
import type { components } from './schema.d.ts';

/** Games that can win a jackpot. */
type PlayedFor = components['schemas']['ContentPlayedFor'];

/** A jackpot as it stood at one moment, from which it goes on growing. */
export type Jackpot = {
  /** It is made up, for show: whatever shows it says so. */
  simulated: boolean;
  /** Minor units at the moment `at`, on the page's own clock. */
  amount: number;
  at: number;
  perTick: number;
  tickMs: number;
  start: number;
  rules: string;
  /** What the amounts are in; empty is the merchant's. */
  currency: string;
  /** Which games can win it; of a simulated one, none. */
  games: readonly PlayedFor[];
};

const day = 86_400_000;

/** What a simulated counter begins between. */
export const bounds = { least: 3_620_281_923, most: 7_809_521_168 } as const;

/** How often a real pool is looked at while it is shown, and how seldom at most where it cannot be read. */
const lookEvery = 10_000;
const lookSeldom = 120_000;

/** When to look again: the longer nothing could be read, the later. */
export const lookAgain = (readAt: number, now: number): number =>
  Math.min(lookSeldom, Math.max(lookEvery, now - readAt));

export const jackpotKey = [...everyoneKey, 'jackpot'] as const;

export const jackpotQuery = queryOptions({
  queryKey: [...jackpotKey, 'shown'],
  queryFn: async (): Promise<Jackpot> => {
    const answer = await value(client.GET('/wps/system/jackpot'));
    // A figure that was not told is not made up.
    if (!Number.isFinite(answer.amount)) throw new ApiError('system.error', 200);
    const still = {
      start: answer.amount,
      perTick: 0,
      tickMs: 200,
      rules: '/m/jackpot',
      currency: '',
      games: [],
    };
    const { source, ...jackpot } = complete<typeof answer>(still, answer);
    const simulated = source !== 'pool';
    // A pool grows by stakes alone, so no clock counts for it: one that has not grown is the very same.
    return { ...jackpot, simulated, at: simulated ? performance.now() : 0 };
  },
  staleTime: (query) => (query.state.data?.simulated === false ? lookEvery : 60_000),
  refetchInterval: ({ state }) =>
    state.data?.simulated === false && lookAgain(state.dataUpdatedAt, Date.now()),
});

/** Whether a stake on a game has a part in it. A simulated one is an illustration beside any game. */
export const isPlayedFor = (
  { simulated, games }: Pick<Jackpot, 'simulated' | 'games'>,
  game: { category: string; vendor: string },
): boolean =>
  simulated ||
  games.some(
    ({ category, vendors }) => category === game.category && vendors.includes(game.vendor),
  );

/** What a jackpot has grown to. It grows in whole ticks. */
export function grownTo({ amount, at, perTick, tickMs }: Jackpot, now: number): number {
  return amount + Math.floor(Math.max(0, now - at) / tickMs) * perTick;
}

/**
 * The counter of one game. A real pool is the same for all games; a simulated counter is each game's own, the same at
 * every visit of a day.
 */
export function jackpotOf(jackpot: Jackpot, gameId: string): Jackpot {
  if (!jackpot.simulated) return jackpot;
  const { least, most } = bounds;
  const grown = jackpot.amount - jackpot.start;
  // What a whole day adds is left free above, whatever the hour: the beginning stays where it is until midnight.
  const room = most - least - jackpot.perTick * Math.ceil(day / jackpot.tickMs);
  // The game moves the beginning round within the bounds, so that no two look alike.
  const start = least + ((jackpot.start - least + hash(gameId)) % room);
  return { ...jackpot, start, amount: start + grown };
}

/** FNV-1a: spread evenly, the same everywhere. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return sum >>> 0;
}
