import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type QueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';

import { hotGamesQuery, type Game } from '../../api/catalogue.ts';
import { favouritePagesQuery } from '../../api/favourites.ts';
import { gamePagesQuery, uniqueGames } from '../../api/game-list.ts';
import { useLoggedIn, whileLoggedIn } from '../../api/session.ts';
import type { Language } from '../../i18n/languages.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { filterGames } from './filter-games.ts';
import type { List } from './filter-url.ts';

export type Games = {
  items: readonly Game[];
  /** Undefined until known. */
  total: number | undefined;
  /** A page is being fetched. */
  loading: boolean;
  /** The error of the last page. */
  error: Error | null;
  hasMore: boolean;
  /** Fetches the next page, or the failed one again. */
  loadMore: () => Promise<unknown>;
  /** Fetches all pages again. */
  refresh: () => Promise<{ error: Error | null }>;
};

/** Drops the cached pages of a list, so that it starts from its first page. */
export function resetGames(
  cache: QueryClient,
  language: Language,
  { view, filter }: List,
  favouritesPageSize: number,
): void {
  const { queryKey } =
    view === 'hot'
      ? hotGamesQuery(language)
      : view === 'fav'
        ? favouritePagesQuery(language, favouritesPageSize)
        : gamePagesQuery(language, filter);
  void cache.resetQueries({ queryKey, exact: true });
}

/** Filters hot games and favourites here, because the server does not. */
export function useGames({ view, filter }: List, favouritesPageSize: number): Games {
  const language = useLanguage();
  const loggedIn = useLoggedIn();
  const hot = useQuery({
    ...hotGamesQuery(language),
    enabled: view === 'hot',
    placeholderData: keepPreviousData,
  });
  const pages = useInfiniteQuery({ ...gamePagesQuery(language, filter), enabled: view === 'all' });
  const own = useInfiniteQuery({
    ...favouritePagesQuery(language, favouritesPageSize),
    enabled: whileLoggedIn(view === 'fav' && loggedIn),
  });
  const paged = view === 'fav' ? own : pages;
  const source = view === 'hot' ? hot.data : paged.data?.pages;

  const items = useMemo(() => {
    if (view === 'hot') return filterGames((source as Game[] | undefined) ?? [], filter);
    const games = uniqueGames((source as Parameters<typeof uniqueGames>[0] | undefined) ?? []);
    return view === 'fav' ? filterGames(games, filter) : games;
  }, [view, source, filter]);

  if (view === 'hot') {
    return {
      items,
      total: hot.data && items.length,
      loading: hot.isPending && hot.fetchStatus !== 'idle',
      error: hot.data ? null : hot.error,
      hasMore: false,
      loadMore: hot.refetch,
      refresh: hot.refetch,
    };
  }
  const { data, isFetchingNextPage, isFetchNextPageError, error } = paged;
  const hasMore = paged.hasNextPage;
  return {
    items,
    total: view === 'all' ? data?.pages.at(-1)?.total : data && !hasMore ? items.length : undefined,
    loading: (!data && paged.isFetching) || isFetchingNextPage,
    error: (!data && !paged.isFetching) || isFetchNextPageError ? error : null,
    hasMore,
    loadMore: () => (data ? paged.fetchNextPage() : paged.refetch()),
    refresh: paged.refetch,
  };
}
