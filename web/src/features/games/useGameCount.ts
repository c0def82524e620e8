import { useQuery } from '@tanstack/react-query';

import { hotGamesQuery } from '../../api/catalogue.ts';
import { gameCountQuery } from '../../api/game-list.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import type { List } from './address.ts';
import { filterGames } from './filter-games.ts';

/** How many games a list would hold; unknown until that can be said. */
export function useGameCount({ view, filter }: List, wanted: boolean): number | undefined {
  const language = useLanguage();
  const hot = useQuery({ ...hotGamesQuery(language), enabled: wanted && view === 'hot' });
  const counted = useQuery({
    ...gameCountQuery(language, filter),
    enabled: wanted && view === 'all',
  });
  if (view === 'hot') return hot.data && filterGames(hot.data, filter).length;
  return view === 'all' ? (counted.data ?? undefined) : undefined;
}
