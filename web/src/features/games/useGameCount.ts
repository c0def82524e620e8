import { useQuery } from '@tanstack/react-query';

import { hotGamesQuery } from '../../api/catalogue.ts';
import { gameCountQuery } from '../../api/game-list.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { filterGames } from './filter-games.ts';
import type { List } from './filter-url.ts';

export function useGameCount({ view, filter }: List, enabled: boolean): number | undefined {
  const language = useLanguage();
  const hot = useQuery({ ...hotGamesQuery(language), enabled: enabled && view === 'hot' });
  const counted = useQuery({
    ...gameCountQuery(language, filter),
    enabled: enabled && view === 'all',
  });
  if (view === 'hot') return hot.data && filterGames(hot.data, filter).length;
  return view === 'all' ? (counted.data ?? undefined) : undefined;
}
