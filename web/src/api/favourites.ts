import {
  infiniteQueryOptions,
  queryOptions,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

import { wireLanguage, type Language } from '../i18n/languages.ts';
import { currentLanguage } from '../i18n/runtime.ts';
import { navigate } from '../lib/router.tsx';
import { readGames, type Game } from './catalogue.ts';
import { client, value } from './client.ts';
import { listTimes, nextPage, type GamePage } from './game-list.ts';
import { ownKey } from './member.ts';
import { loginPath } from './require-login.ts';
import { currentSession, useLoggedIn, whileLoggedIn } from './session.ts';

const key = [...ownKey, 'favourites'] as const;
const idsKey = [...key, 'ids'] as const;
const pagesKey = [...key, 'pages'] as const;

/** The most that one page may hold. */
const largestPage = 100;
/** More pages than a member can fill are a gateway's fault, not to be followed for ever. */
const mostPages = 10;

export const favouritePagesQuery = (language: Language, pageSize: number) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey, language, pageSize],
    queryFn: ({ pageParam, signal }) => fetchPage(language, pageParam, pageSize, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    ...listTimes,
  });

/** The local list: the nodeId of every game that the member has starred. */
const favouriteIdsQuery = queryOptions({
  queryKey: idsKey,
  queryFn: async ({ signal }): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = 1; page <= mostPages; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- only a page tells whether there is another
      const read = await fetchPage(currentLanguage(), page, largestPage, signal);
      ids.push(...read.games.map((game) => game.nodeId));
      if (read.page >= read.pages) break;
    }
    return ids;
  },
  ...listTimes,
});

const none: ReadonlySet<string> = new Set();

/** The starred games by nodeId; none for a visitor. Until all are known, those that a list of favourites shows. */
function useFavouriteIds(): ReadonlySet<string> {
  const cache = useQueryClient();
  const loggedIn = useLoggedIn();
  const { data } = useQuery({ ...favouriteIdsQuery, enabled: whileLoggedIn(loggedIn) });
  const all = useMemo(() => data && new Set(data), [data]);
  return all ?? (loggedIn ? listedIds(cache) : none);
}

/** The games of favourites' pages that are here. */
function listedIds(cache: QueryClient): ReadonlySet<string> {
  const lists = cache.getQueriesData<InfiniteData<GamePage>>({ queryKey: pagesKey });
  const pages = lists.flatMap(([, list]) => list?.pages ?? []);
  return new Set(pages.flatMap(({ games }) => games.map(({ nodeId }) => nodeId)));
}

/** How a change is told: while it lasts, and how it ended. */
type Telling = {
  waiting: () => number;
  saved: () => void;
  failed: (waiting: number) => void;
};

export type Stars = {
  ids: ReadonlySet<string>;
  /** Those that the server is being told about. */
  busy: ReadonlySet<string>;
  /** Gives a game a star or takes it away. The same function for as long as the list stands. */
  star: (game: Game, starred: boolean) => void;
};

/** The stars of a list of games, or of one. Visitors are led to the login. */
export function useStars(tell: Telling): Stars {
  const cache = useQueryClient();
  const ids = useFavouriteIds();
  const underWay = useRef(new Set<string>());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const save = useCallback(
    async (game: Game, starred: boolean): Promise<void> => {
      // A second tap while the first is under way is no second wish.
      if (underWay.current.has(game.nodeId)) return;
      underWay.current.add(game.nodeId);
      setBusy(new Set(underWay.current));
      const waiting = tell.waiting();
      try {
        await setFavourite(cache, game, starred);
        tell.saved();
      } catch {
        tell.failed(waiting);
      } finally {
        underWay.current.delete(game.nodeId);
        setBusy(new Set(underWay.current));
      }
    },
    [cache, tell],
  );

  const star = useCallback(
    (game: Game, starred: boolean) => {
      if (currentSession()) void save(game, starred);
      else navigate(loginPath(location.pathname + location.search));
    },
    [save],
  );

  return { ids, busy, star };
}

/** Stars a game or takes its star away. What is known here changes once the server has done it. */
async function setFavourite(
  cache: QueryClient,
  game: Pick<Game, 'nodeId' | 'vendor'>,
  starred: boolean,
): Promise<void> {
  const what = { nodeId: game.nodeId, vendor: game.vendor };
  await (starred
    ? value(client.POST('/wps/relay/MCSFE_addFavoriteGameV2', { body: what }))
    : value(client.DELETE('/wps/relay/MCSFE_removeFavoriteGameV2', { params: { query: what } })));
  // An answer that is still on its way was given before this.
  await cache.cancelQueries({ queryKey: idsKey });
  const known = cache.getQueryData<string[]>(idsKey);
  if (known) {
    const others = known.filter((id) => id !== game.nodeId);
    cache.setQueryData<string[]>(idsKey, starred ? [game.nodeId, ...others] : others);
  }
  void cache.invalidateQueries({ queryKey: known ? pagesKey : key });
}

async function fetchPage(
  language: Language,
  page: number,
  pageSize: number,
  signal: AbortSignal,
): Promise<GamePage> {
  const query = { pageNo: page, pageSize, language: wireLanguage(language) };
  const answer = await value(
    client.GET('/wps/relay/MCSFE_getFavoriteGames', { params: { query }, signal }),
  );
  return {
    games: readGames(answer.content, language),
    page: answer.pageNum ?? page,
    pages: answer.totalPages ?? 0,
    total: undefined,
  };
}
