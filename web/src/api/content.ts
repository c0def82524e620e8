import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { ownPath } from '../lib/router.tsx';
import { client, value } from './client.ts';
import { banner, homeGroup, playerNotice } from './content-types.gen.ts';
import { announcementsParams, announcementsPath, homeAnnouncements } from './home-calls.ts';
import { everyoneKey, ownKey } from './member.ts';
import type { components } from './schema.d.ts';
import { settingsQuery } from './system.ts';

export type Announcement = components['schemas']['ContentAnnouncement'];

const blank: Partial<Announcement> = {
  content: '',
  cta: '',
  execution: '',
  tag: '',
  title: '',
  url: '',
  startTime: 0,
};

/** The announcements of an answer, all that can be told of them; one without its id could never be read. */
export const readAnnouncements = (
  list: readonly Partial<Announcement>[] | null | undefined,
): Announcement[] => completeAll(blank, list).filter(({ id }) => id);

/** What is announced on phones, of some types and perhaps of one group. */
export async function fetchAnnouncements(
  cache: QueryClient,
  wanted: { types: string; groupName?: string },
): Promise<Announcement[]> {
  const { merchantCode } = await cache.ensureQueryData(settingsQuery);
  const query = announcementsParams(merchantCode, wanted);
  return readAnnouncements(await value(client.GET(announcementsPath, { params: { query } })));
}

/** All that home announces, in one call. What is read differs by member. */
export const announcementsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...everyoneKey, 'announcements', language],
    queryFn: ({ client: cache }) => fetchAnnouncements(cache, homeAnnouncements),
    staleTime: 60_000,
  });

/** Where a banner leads: where its operator said, else to its own words. */
export const bannerPath = ({ url, id }: Pick<Announcement, 'url' | 'id'>): string =>
  ownPath(url) ?? `/m/banner/${id}`;

export const bannersOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === banner && item.groupName === homeGroup);

export const noticesOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === playerNotice);

/** How many notices the member has not read, agents' own among them: the server counts. */
export const unreadQuery = queryOptions({
  queryKey: [...ownKey, 'unread'],
  queryFn: async () =>
    (await value(client.GET('/wps/relay/MCSFE_getUnreadAnnouncementCount'))).count ?? 0,
  staleTime: 30_000,
});
