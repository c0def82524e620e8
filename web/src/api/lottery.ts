import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';

import { errorOfThrown } from '../i18n/api-error.ts';
import type { Language } from '../i18n/languages.ts';
import { untilReload } from '../lib/draw-reload.ts';
import type { SeriesSource } from '../lib/fairness-lottery.ts';
import { fastLottery, lottery } from './categories.gen.ts';
import { bareValue, client, value } from './client.ts';
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
    refetchInterval: ({ state: { data } }) =>
      untilReload((data ?? []).map((game) => game.drawTime - lotteryNow(game))),
  });

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

/** A series of our own draws, with the number of its void draws. */
export const lotterySeriesQuery = (series: string) =>
  queryOptions({
    queryKey: [...key, 'series', series],
    queryFn: () => readSeries(series),
  });

/** The void draws of a game, newest first. */
export const lotteryVoidDrawsQuery = (gameId: string) =>
  infiniteQueryOptions({
    queryKey: [...key, 'void', gameId],
    queryFn: ({ pageParam: cursor, signal }) =>
      bareValue(
        client.GET('/lgw/draw/{gameId}', {
          params: { path: { gameId }, query: { pageSize, void: true, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
  });

const readSeries = (series: string) =>
  bareValue(client.GET('/lgw/series/{series}', { params: { path: { series } } }));

/** Loads the series of a draw, to check the draw. */
export const lotterySeriesSource: SeriesSource = {
  series: readSeries,
  publishedSeries: async (id) => {
    try {
      return await value(client.GET('/wps/fairness/oneSeries', { params: { query: { id } } }));
    } catch (thrown) {
      if (errorOfThrown(thrown).status === 404) return null;
      throw thrown;
    }
  },
};

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
