import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { fastLottery, lottery } from './categories.gen.ts';
import { bareValue, client } from './client.ts';
import type { components } from './schema.d.ts';
import * as vendorCode from './vendor-codes.gen.ts';

type Schemas = components['schemas'];

export type LotteryGame = Schemas['LotteryGameReply'] & { readAt: number };
export type LotteryDraw = Schemas['LotteryDrawReply'];

const key = ['lottery'] as const;

/** Queries to reload after a draw is settled. */
export const lotteryResultKeys = [
  [...key, 'games'],
  [...key, 'draws'],
] as const;

/** The games with their current numeros. A later draw makes them stale. */
export const lotteryGamesQuery = (language: Language) =>
  queryOptions({
    queryKey: [...key, 'games', language],
    queryFn: async ({ signal }): Promise<LotteryGame[]> => {
      const games = await bareValue(client.GET('/lgw/games', { signal }));
      const readAt = Date.now();
      return games.map((game) => ({ ...game, readAt }));
    },
    refetchInterval: ({ state: { data } }) => nextRead(data),
  });

const minReadMs = 2000;
const maxReadMs = 60_000;

/** The delay between a draw and the reload of the lists, by when the result is published. */
const resultDelayMs = 1500;

/** The maximum random delay after a draw, so that clients do not reload at the same time. */
export const maxDrawJitterMs = 4000;
const drawJitterMs = Math.random() * maxDrawJitterMs;

/** Returns the time until the next draw of any game. */
function nextRead(games: readonly LotteryGame[] | undefined): number {
  if (!games) return maxReadMs;
  const waits = games.map(
    (game) => game.drawTime - lotteryNow(game) + resultDelayMs + drawJitterMs,
  );
  return Math.max(minReadMs, Math.min(maxReadMs, ...waits));
}

/** Returns the server's time. */
export const lotteryNow = ({ serverTime, readAt }: Pick<LotteryGame, 'serverTime' | 'readAt'>) =>
  serverTime + (Date.now() - readAt);

export const lotteryMenusQuery = (language: Language) =>
  queryOptions({
    queryKey: [...key, 'menus', language],
    queryFn: ({ signal }) => bareValue(client.GET('/lgw/games/game_menus', { signal })),
    staleTime: Infinity,
  });

export const lotteryWeekQuery = queryOptions({
  queryKey: [...key, 'week'],
  queryFn: ({ signal }) => bareValue(client.GET('/lgw/vn/games/game_menu', { signal })),
  staleTime: Infinity,
});

const pageSize = 20;

/** The results of a game, newest first. */
export const lotteryDrawsQuery = (gameId: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'draws', gameId],
    queryFn: ({ pageParam: cursor, signal }) =>
      bareValue(
        client.GET('/lgw/draw/{gameId}', {
          params: { path: { gameId }, query: { pageSize, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
  });

export const lotteryPrizesQuery = (gameId: string, numero: string) =>
  queryOptions({
    queryKey: [...key, 'prizes', gameId, numero],
    queryFn: ({ signal }) =>
      bareValue(
        client.GET('/lgw/vn/numeros/opened/game', {
          params: { query: { gameId, numero } },
          signal,
        }),
      ),
  });

/** Returns the URL that starts a lottery. */
export function lotteryPath(
  { gameId, type, gameGroupId }: Pick<LotteryGame, 'gameId' | 'type' | 'gameGroupId'>,
  choice: { playType?: string; prizeMode?: string; fromHome?: boolean } = {},
): string {
  const isRegional = type === 'regional';
  const query = new URLSearchParams({
    vendor: isRegional ? vendorCode.lottoVietnam : vendorCode.fastLottery,
    gameCategory: isRegional ? lottery : fastLottery,
    gameId,
    gameGroupId,
    ...(choice.playType && { playType: choice.playType }),
    ...(choice.prizeMode && { prize_mode: choice.prizeMode }),
    ...(choice.fromHome && { pageBack: '1' }),
  });
  return `/m/launchGame?${query.toString()}`;
}
