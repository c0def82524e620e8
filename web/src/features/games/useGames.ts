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
import type { List } from './address.ts';
import { filterGames } from './filter-games.ts';

/** A list of games as screens show it, wherever it comes from. */
export type Games = {
  items: readonly Game[];
  /** How many there are in all, once that is known. */
  total: number | undefined;
  /** A page is on its way. */
  loading: boolean;
  /** Why the last page could not be had. */
  error: Error | null;
  hasMore: boolean;
  /** The next page, or again the one that failed. */
  loadMore: () => Promise<unknown>;
  /** All of it anew. */
  refresh: () => Promise<{ error: Error | null }>;
};

/** Forgets what is known of a list: whoever looks at it next, or now, gets it from its first page on. */
export function forgetGames(
  cache: QueryClient,
  language: Language,
  { view, filter }: List,
  favouritesPage: number,
): void {
  const { queryKey } =
    view === 'hot'
      ? hotGamesQuery(language)
      : view === 'fav'
        ? favouritePagesQuery(language, favouritesPage)
        : gamePagesQuery(language, filter);
  void cache.resetQueries({ queryKey, exact: true });
}

/** The games of a list. Hot and favourite ones are narrowed here: no server narrows those. */
export function useGames({ view, filter }: List, favouritesPage: number): Games {
  const language = useLanguage();
  const loggedIn = useLoggedIn();
  const hot = useQuery({
    ...hotGamesQuery(language),
    enabled: view === 'hot',
    placeholderData: keepPreviousData,
  });
  const pages = useInfiniteQuery({ ...gamePagesQuery(language, filter), enabled: view === 'all' });
  const own = useInfiniteQuery({
    ...favouritePagesQuery(language, favouritesPage),
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
