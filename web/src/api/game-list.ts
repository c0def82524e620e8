import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { readGames, type Game } from './catalogue.ts';
import * as categoryCode from './categories.gen.ts';
import { isInCategory } from './category-table.ts';
import { client, value } from './client.ts';
import { lotteryClient } from './lottery-codes.gen.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

export const gameSorts = ['popular', 'new', 'name'] as const;
export type GameSort = (typeof gameSorts)[number];

export type GameFilter = {
  /** A category's code, or ALL. */
  category: string;
  vendors: readonly string[];
  /** Matches word prefixes in the game's name. */
  name: string;
  classes: readonly string[];
  /** Games with at most this minimum stake, in minor units; 0 is any. */
  minBet: number;
  /** Games with at least this many lines; 0 is any. */
  minLines: number;
  /** Only games that trial members can play. */
  trial: boolean;
  sort: GameSort;
};

export const allGames: GameFilter = {
  category: categoryCode.all,
  vendors: [],
  name: '',
  classes: [],
  minBet: 0,
  minLines: 0,
  trial: false,
  sort: 'popular',
};

export type GamePage = {
  games: Game[];
  page: number;
  pages: number;
  /** The number of games on all pages, if the server sends it. */
  total: number | undefined;
};

export const listCacheTimes = { staleTime: 5 * 60_000, gcTime: 30 * 60_000 } as const;

const pageSize = 21;

/** The prefix of every page query. */
export const listKey = ['games', 'list'] as const;

export const gamePagesQuery = (language: Language, filter: GameFilter) =>
  infiniteQueryOptions({
    queryKey: [...listKey, language, filter],
    queryFn: async ({ client: cache, pageParam, signal }): Promise<GamePage> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      return fetchPage({ merchantCode, language, filter, page: pageParam, size: pageSize, signal });
    },
    initialPageParam: 1,
    getNextPageParam: nextPage,
    ...listCacheTimes,
  });

/** The number of games that match a filter. */
export const gameCountQuery = (language: Language, filter: GameFilter) =>
  queryOptions({
    queryKey: ['games', 'count', language, { ...filter, sort: 'popular' }],
    queryFn: async ({ client: cache, signal }): Promise<number | null> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const page = await fetchPage({ merchantCode, language, filter, page: 1, size: 1, signal });
      return page.total ?? null;
    },
    placeholderData: keepPreviousData,
    staleTime: listCacheTimes.staleTime,
  });

/** The maximum number of games per word that are compared with the typed text. */
const maxCompared = 100;

/** Finds games with one of the words in the name. A word without matches is shortened to its first half. */
export const similarGamesQuery = (language: Language, words: readonly string[]) =>
  queryOptions({
    queryKey: ['games', 'similar', language, words],
    queryFn: async ({ client: cache, signal }): Promise<Game[]> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const find = (name: string) => {
        const filter = { ...allGames, name };
        return fetchPage({ merchantCode, language, filter, page: 1, size: maxCompared, signal });
      };
      const pages = await Promise.all(
        words.map(async (word) => {
          const whole = await find(word);
          if (whole.games.length > 0) return whole;
          return find(word.slice(0, Math.max(2, Math.ceil(word.length / 2))));
        }),
      );
      return uniqueGames(pages);
    },
    ...listCacheTimes,
  });

/** The number of a vendor's games in a category that have one class. */
export type ClassCount = { vendor: string; category: string; name: string; games: number };

const vendorTypesQuery = queryOptions({
  queryKey: ['games', 'kinds'],
  queryFn: async ({ client: cache, signal }): Promise<WireVendorTypes[]> => {
    const { merchantCode } = await cache.ensureQueryData(settingsQuery);
    const query = { typeId: 1, merchantCode };
    const vendorTypes = await value(
      client.GET('/wps/relay/GCSGAME_getVassGameType', { params: { query }, signal }),
    );
    return completeAll<WireVendorTypes>({ classify: [] }, vendorTypes);
  },
  staleTime: listCacheTimes.staleTime,
});

export const gameClassesQuery = {
  ...vendorTypesQuery,
  select: (vendors: readonly WireVendorTypes[]): ClassCount[] =>
    vendors.flatMap(({ vassalage: vendor, classify }) =>
      classify.map(({ gameType: category, classify: name, count: games }) => ({
        vendor,
        category,
        name,
        games,
      })),
    ),
};

/** The number of games in a category, by vendor code. Vendors without counts are left out. */
export const vendorCountsQuery = (category: string) => ({
  ...vendorTypesQuery,
  select: (vendors: readonly WireVendorTypes[]): ReadonlyMap<string, number> =>
    new Map(
      vendors.flatMap(({ vassalage: vendor, counts }) =>
        counts
          ? [
              [
                vendor,
                sum(
                  counts.filter(({ gameType }) =>
                    isInCategory({ category: gameType, vendor }, category),
                  ),
                ),
              ],
            ]
          : [],
      ),
    ),
});

type WireVendorTypes = components['schemas']['CatalogueVendorTypes'];

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((all, { count }) => all + count, 0);

/** Returns the number of the next page. It counts requested pages, because the server's page numbers may repeat. */
export function nextPage(
  { page, pages }: GamePage,
  _all: readonly GamePage[],
  requested: number,
): number | undefined {
  return page < pages ? requested + 1 : undefined;
}

/** Returns each game once, because the list may shift between two page requests. */
export function uniqueGames(pages: readonly GamePage[]): Game[] {
  const games = new Map<string, Game>();
  for (const { games: some } of pages) {
    for (const game of some) if (!games.has(game.nodeId)) games.set(game.nodeId, game);
  }
  return [...games.values()];
}

type PageRequest = {
  merchantCode: string;
  language: Language;
  filter: GameFilter;
  page: number;
  size: number;
  signal: AbortSignal;
};

/** Returns the platform parameter. Lotteries take `clientType` instead. */
function platformParameter(category: string): { platform: string } | { clientType: string } {
  const { lottery, fastLottery } = categoryCode;
  const isLottery = category === lottery || category === fastLottery;
  return isLottery ? { clientType: lotteryClient } : { platform: 'html5' };
}

async function fetchPage(request: PageRequest): Promise<GamePage> {
  const { merchantCode, language, filter, page, size, signal } = request;
  const query = {
    merchant: merchantCode,
    ...platformParameter(filter.category),
    language: wireLanguage(language),
    pageNo: page,
    pageSize: size,
    ...(filter.category !== categoryCode.all && { gameType: filter.category }),
    ...(filter.vendors.length > 0 && { vassalage: filter.vendors.join(',') }),
    ...(filter.name && { gameName: filter.name }),
    ...(filter.classes.length > 0 && { gameClassify: filter.classes.join(',') }),
    ...(filter.minBet > 0 && { minBet: filter.minBet }),
    ...(filter.minLines > 0 && { minLine: filter.minLines }),
    ...(filter.trial && { freeplay: 1 }),
    ...(filter.sort !== 'popular' && { sort: filter.sort }),
  };
  const response = await value(
    client.GET('/wps/relay/GCSGAME_gameList', { params: { query }, signal }),
  );
  return {
    games: readGames(response.games, language),
    page: response.pageNum ?? page,
    pages: response.totalPages ?? 0,
    total: response.total,
  };
}
