import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { client, value } from './client.ts';
import { viewerKey } from './member.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

export type News = components['schemas']['ContentNews'];

const blank: Partial<News> = { title: '', url: '', image: '', createdAt: 0 };

/** Fills in missing fields and drops entries without an id or a title. */
const read = (list: readonly Partial<News>[] | null | undefined): News[] =>
  completeAll(blank, list).filter(({ id, title }) => id && title);

async function newsParams(cache: QueryClient) {
  const { merchantCode } = await cache.ensureQueryData(settingsQuery);
  return { params: { query: { platform: 'M', merchantCode } } };
}

/** Notices and promotions, the newest first. */
export const newsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...viewerKey, 'news', language],
    queryFn: async ({ client: cache }): Promise<News[]> =>
      read(await value(client.GET('/wps/relay/GLS2_lobbyNews', await newsParams(cache)))),
    staleTime: 60_000,
  });

/** The most read news first. */
export const popularQuery = (language: Language) =>
  queryOptions({
    queryKey: [...viewerKey, 'popular', language],
    queryFn: async ({ client: cache }): Promise<News[]> =>
      read(
        await value(
          client.GET('/wps/relay/MCSFE_getPopularAnnouncements', await newsParams(cache)),
        ),
      ),
    staleTime: 60_000,
  });
