import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { completeAll } from '../lib/complete.ts';
import { ownPath } from '../lib/router.tsx';
import { client, value } from './client.ts';
import { banner, homeGroup, playerNotice } from './content-types.gen.ts';
import { announcementsParams, announcementsPath, homeAnnouncements } from './home-calls.ts';
import { viewerKey, memberKey } from './member.ts';
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

/** Fills in missing fields. Drops announcements without an id, because they could not be marked as read. */
export const readAnnouncements = (
  list: readonly Partial<Announcement>[] | null | undefined,
): Announcement[] => completeAll(blank, list).filter(({ id }) => id);

export async function fetchAnnouncements(
  cache: QueryClient,
  filter: { types: string; groupName?: string },
): Promise<Announcement[]> {
  const { merchantCode } = await cache.ensureQueryData(settingsQuery);
  const query = announcementsParams(merchantCode, filter);
  return readAnnouncements(await value(client.GET(announcementsPath, { params: { query } })));
}

/** All announcements for home, in one request. Whether they are read depends on the member. */
export const announcementsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...viewerKey, 'announcements', language],
    queryFn: ({ client: cache }) => fetchAnnouncements(cache, homeAnnouncements),
    staleTime: 60_000,
  });

/** Returns the path that a banner opens: the operator's URL if it is in this app, or else the banner's own page. */
export const bannerPath = ({ url, id }: Pick<Announcement, 'url' | 'id'>): string =>
  ownPath(url) ?? `/m/banner/${id}`;

export const bannersOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === banner && item.groupName === homeGroup);

export const noticesOf = (list: Announcement[]): Announcement[] =>
  list.filter((item) => item.type === playerNotice);

/** The number of unread notices, including those for agents. */
export const unreadQuery = queryOptions({
  queryKey: [...memberKey, 'unread'],
  queryFn: async () =>
    (await value(client.GET('/wps/relay/MCSFE_getUnreadAnnouncementCount'))).count ?? 0,
  staleTime: 30_000,
});
