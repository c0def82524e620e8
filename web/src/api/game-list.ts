import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { readGames, type Game } from './catalogue.ts';
import * as categoryCode from './categories.gen.ts';
import { isOf } from './category-table.ts';
import { client, value } from './client.ts';
import { lotteryClient } from './lottery-codes.gen.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

export const gameSorts = ['popular', 'new', 'name'] as const;
export type GameSort = (typeof gameSorts)[number];

/** Which games a list holds, and in which order. */
export type GameFilter = {
  /** A category's code; ALL is all of them. */
  category: string;
  vendors: readonly string[];
  /** What their names begin with, word by word. */
  name: string;
  classes: readonly string[];
  /** Games that can be played for this much, in minor units; 0 is any. */
  minBet: number;
  /** Games with at least as many lines; 0 is any. */
  minLines: number;
  sort: GameSort;
};

export const allGames: GameFilter = {
  category: categoryCode.all,
  vendors: [],
  name: '',
  classes: [],
  minBet: 0,
  minLines: 0,
  sort: 'popular',
};

/** One page of a list of games. */
export type GamePage = {
  games: Game[];
  page: number;
  pages: number;
  /** How many there are in all, where the gateway tells. */
  total: number | undefined;
};

/** How long a list counts as fresh, and how long it is kept for those who come back to it. */
export const listTimes = { staleTime: 5 * 60_000, gcTime: 30 * 60_000 } as const;

/** Games on one page of a list. */
const pageSize = 21;

/** Every page of every list lies below this key. */
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
    ...listTimes,
  });

/** How many games a filter leaves, asked for without their list. */
export const gameCountQuery = (language: Language, filter: GameFilter) =>
  queryOptions({
    queryKey: ['games', 'count', language, { ...filter, sort: 'popular' }],
    queryFn: async ({ client: cache, signal }): Promise<number | null> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const page = await fetchPage({ merchantCode, language, filter, page: 1, size: 1, signal });
      return page.total ?? null;
    },
    placeholderData: keepPreviousData,
    staleTime: listTimes.staleTime,
  });

/** The most games of one word that are compared with what was typed. */
const mostCompared = 100;

/** Games whose names have one of the words or, where none has it, a word that begins with its first half. */
export const similarGamesQuery = (language: Language, words: readonly string[]) =>
  queryOptions({
    queryKey: ['games', 'similar', language, words],
    queryFn: async ({ client: cache, signal }): Promise<Game[]> => {
      const { merchantCode } = await cache.ensureQueryData(settingsQuery);
      const find = (name: string) => {
        const filter = { ...allGames, name };
        return fetchPage({ merchantCode, language, filter, page: 1, size: mostCompared, signal });
      };
      const pages = await Promise.all(
        words.map(async (word) => {
          const whole = await find(word);
          if (whole.games.length > 0) return whole;
          return find(word.slice(0, Math.max(2, Math.ceil(word.length / 2))));
        }),
      );
      return gamesOf(pages);
    },
    ...listTimes,
  });

/** How many games of a category, by one vendor, are of a class. */
export type ClassCount = { vendor: string; category: string; name: string; games: number };

const kindsQuery = queryOptions({
  queryKey: ['games', 'kinds'],
  queryFn: async ({ client: cache, signal }): Promise<WireKinds[]> => {
    const { merchantCode } = await cache.ensureQueryData(settingsQuery);
    const query = { typeId: 1, merchantCode };
    const kinds = await value(
      client.GET('/wps/relay/GCSGAME_getVassGameType', { params: { query }, signal }),
    );
    return completeAll<WireKinds>({ classify: [] }, kinds);
  },
  staleTime: listTimes.staleTime,
});

export const gameClassesQuery = {
  ...kindsQuery,
  select: (vendors: readonly WireKinds[]): ClassCount[] =>
    vendors.flatMap(({ vassalage: vendor, classify }) =>
      classify.map(({ gameType: category, classify: name, count: games }) => ({
        vendor,
        category,
        name,
        games,
      })),
    ),
};

/** How many games of a category each vendor has, by its code. A gateway need not tell. */
export const vendorCountsQuery = (category: string) => ({
  ...kindsQuery,
  select: (vendors: readonly WireKinds[]): ReadonlyMap<string, number> =>
    new Map(
      vendors.flatMap(({ vassalage, counts }) =>
        counts
          ? [
              [
                vassalage,
                sum(
                  counts.filter(({ gameType }) =>
                    isOf({ category: gameType, vendor: vassalage }, category),
                  ),
                ),
              ],
            ]
          : [],
      ),
    ),
});

type WireKinds = components['schemas']['CatalogueVendorTypes'];

const sum = (counts: readonly { count: number }[]): number =>
  counts.reduce((all, { count }) => all + count, 0);

/** The number of the page after this one, while there is one. It always moves on, whatever a gateway counts. */
export function nextPage(
  { page, pages }: GamePage,
  _all: readonly GamePage[],
  asked: number,
): number | undefined {
  return page < pages ? asked + 1 : undefined;
}

/** Each game once, although the list may have moved between two pages. */
export function gamesOf(pages: readonly GamePage[]): Game[] {
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

/** What the games are to run on. The lottery has a number of its own for browsers. */
function clientFor(category: string): { platform: string } | { clientType: string } {
  const { lottery, fastLottery } = categoryCode;
  const drawn = category === lottery || category === fastLottery;
  return drawn ? { clientType: lotteryClient } : { platform: 'html5' };
}

async function fetchPage(request: PageRequest): Promise<GamePage> {
  const { merchantCode, language, filter, page, size, signal } = request;
  const query = {
    merchant: merchantCode,
    ...clientFor(filter.category),
    language: wireLanguage(language),
    pageNo: page,
    pageSize: size,
    ...(filter.category !== categoryCode.all && { gameType: filter.category }),
    ...(filter.vendors.length > 0 && { vassalage: filter.vendors.join(',') }),
    ...(filter.name && { gameName: filter.name }),
    ...(filter.classes.length > 0 && { gameClassify: filter.classes.join(',') }),
    ...(filter.minBet > 0 && { minBet: filter.minBet }),
    ...(filter.minLines > 0 && { minLine: filter.minLines }),
    ...(filter.sort !== 'popular' && { sort: filter.sort }),
  };
  const answer = await value(
    client.GET('/wps/relay/GCSGAME_gameList', { params: { query }, signal }),
  );
  return {
    games: readGames(answer.games, language),
    page: answer.pageNum ?? page,
    pages: answer.totalPages ?? 0,
    total: answer.total,
  };
}
