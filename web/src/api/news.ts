import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { client, value } from './client.ts';
import { everyoneKey } from './member.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

export type News = components['schemas']['ContentNews'];

const blank: Partial<News> = { title: '', url: '', image: '', createdAt: 0 };

/** What can be told of an answer; one without its id or its title says nothing. */
const read = (list: readonly Partial<News>[] | null | undefined): News[] =>
  completeAll(blank, list).filter(({ id, title }) => id && title);

async function asked(cache: QueryClient) {
  const { merchantCode } = await cache.ensureQueryData(settingsQuery);
  return { params: { query: { platform: 'M', merchantCode } } };
}

/** Notices and promotions, the newest first. */
export const newsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...everyoneKey, 'news', language],
    queryFn: async ({ client: cache }): Promise<News[]> =>
      read(await value(client.GET('/wps/relay/GLS2_lobbyNews', await asked(cache)))),
    staleTime: 60_000,
  });

/** What members have read most comes first. */
export const popularQuery = (language: Language) =>
  queryOptions({
    queryKey: [...everyoneKey, 'popular', language],
    queryFn: async ({ client: cache }): Promise<News[]> =>
      read(await value(client.GET('/wps/relay/MCSFE_getPopularAnnouncements', await asked(cache)))),
    staleTime: 60_000,
  });
