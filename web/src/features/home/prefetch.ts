import type { QueryClient } from '@tanstack/react-query';

import { hotGamesQuery } from '../../api/catalogue.ts';
import { announcementsQuery } from '../../api/content.ts';
import { servicesQuery, statusQuery, switchesQuery } from '../../api/system.ts';
import type { Language } from '../../i18n/languages.ts';

/** Prefetches what home shows first. Ignores errors, which the screen reports. */
export async function prefetchHome(cache: QueryClient, language: Language): Promise<void> {
  await Promise.all([
    cache.prefetchQuery(announcementsQuery(language)),
    cache.prefetchQuery(hotGamesQuery(language)),
    cache.prefetchQuery(statusQuery),
    cache.prefetchQuery(switchesQuery),
    cache.prefetchQuery(servicesQuery),
  ]);
}
