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
import { listCacheTimes, nextPage, type GamePage } from './game-list.ts';
import { memberKey } from './member.ts';
import { loginPath } from './require-login.ts';
import { currentSession, useLoggedIn, whileLoggedIn } from './session.ts';

const key = [...memberKey, 'favourites'] as const;
const idsKey = [...key, 'ids'] as const;
const pagesKey = [...key, 'pages'] as const;

const maxPageSize = 100;
/** A safety limit, in case the server reports too many pages. */
const maxPages = 10;

export const favouritePagesQuery = (language: Language, pageSize: number) =>
  infiniteQueryOptions({
    queryKey: [...pagesKey, language, pageSize],
    queryFn: ({ pageParam, signal }) => fetchPage(language, pageParam, pageSize, signal),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    ...listCacheTimes,
  });

/** The nodeId of every starred game. */
const favouriteIdsQuery = queryOptions({
  queryKey: idsKey,
  queryFn: async ({ signal }): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = 1; page <= maxPages; page += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each page reports whether there is another
      const read = await fetchPage(currentLanguage(), page, maxPageSize, signal);
      ids.push(...read.games.map((game) => game.nodeId));
      if (read.page >= read.pages) break;
    }
    return ids;
  },
  ...listCacheTimes,
});

const none: ReadonlySet<string> = new Set();

/** Returns the nodeIds of the starred games. While they load, it returns those on the cached pages of the favourites list. */
function useFavouriteIds(): ReadonlySet<string> {
  const cache = useQueryClient();
  const loggedIn = useLoggedIn();
  const { data } = useQuery({ ...favouriteIdsQuery, enabled: whileLoggedIn(loggedIn) });
  const all = useMemo(() => data && new Set(data), [data]);
  return all ?? (loggedIn ? cachedIds(cache) : none);
}

function cachedIds(cache: QueryClient): ReadonlySet<string> {
  const lists = cache.getQueriesData<InfiniteData<GamePage>>({ queryKey: pagesKey });
  const pages = lists.flatMap(([, list]) => list?.pages ?? []);
  return new Set(pages.flatMap(({ games }) => games.map(({ nodeId }) => nodeId)));
}

/** Shows the progress and the result of a change to the member. */
type StarFeedback = {
  /** Shows a loading indicator and returns its id. */
  waiting: () => number;
  saved: () => void;
  failed: (waitingId: number) => void;
};

export type Stars = {
  ids: ReadonlySet<string>;
  /** The games whose change the server has not confirmed. */
  busy: ReadonlySet<string>;
  /** Stars or unstars a game. The function is stable. */
  star: (game: Game, starred: boolean) => void;
};

/** Returns the stars of the member, and a function to change them. It sends visitors to the login. */
export function useStars(feedback: StarFeedback): Stars {
  const cache = useQueryClient();
  const ids = useFavouriteIds();
  const pending = useRef(new Set<string>());
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  const save = useCallback(
    async (game: Game, starred: boolean): Promise<void> => {
      // Ignore a second tap until the first request ends.
      if (pending.current.has(game.nodeId)) return;
      pending.current.add(game.nodeId);
      setBusy(new Set(pending.current));
      const waitingId = feedback.waiting();
      try {
        await setFavourite(cache, game, starred);
        feedback.saved();
      } catch {
        feedback.failed(waitingId);
      } finally {
        pending.current.delete(game.nodeId);
        setBusy(new Set(pending.current));
      }
    },
    [cache, feedback],
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

/** Saves a star, and updates the cache when the server has confirmed it. */
async function setFavourite(
  cache: QueryClient,
  game: Pick<Game, 'nodeId' | 'vendor'>,
  starred: boolean,
): Promise<void> {
  const node = { nodeId: game.nodeId, vendor: game.vendor };
  await (starred
    ? value(client.POST('/wps/relay/MCSFE_addFavoriteGameV2', { body: node }))
    : value(client.DELETE('/wps/relay/MCSFE_removeFavoriteGameV2', { params: { query: node } })));
  // A request already in flight does not include this change.
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
  const response = await value(
    client.GET('/wps/relay/MCSFE_getFavoriteGames', { params: { query }, signal }),
  );
  return {
    games: readGames(response.content, language),
    page: response.pageNum ?? page,
    pages: response.totalPages ?? 0,
    total: undefined,
  };
}
