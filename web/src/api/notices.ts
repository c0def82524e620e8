import { queryOptions, type QueryClient } from '@tanstack/react-query';

import type { Language } from '../i18n/languages.ts';
import { client, value } from './client.ts';
import { agentNotice, banner, playerNotice, registerGroup } from './content-types.gen.ts';
import {
  fetchAnnouncements,
  readAnnouncements,
  unreadQuery,
  type Announcement,
} from './content.ts';
import { everyoneKey } from './member.ts';
import { isAgent, type Session } from './session.ts';

/** All that is announced lies below this key, home's list too. */
const announcementsKey = [...everyoneKey, 'announcements'] as const;

/** Every notice there is to read, the newest first. Agents have some of their own. */
export const noticesQuery = (language: Language, session: Session | null) =>
  queryOptions({
    queryKey: [...announcementsKey, language, 'notices', isAgent(session)],
    queryFn: async ({ client: cache }): Promise<Announcement[]> => {
      const types = isAgent(session) ? `${playerNotice},${agentNotice}` : playerNotice;
      const list = await fetchAnnouncements(cache, { types });
      // Those of one moment stay in the operator's order.
      return list.toSorted((a, b) => b.startTime - a.startTime);
    },
    staleTime: 30_000,
  });

/** One announcement in full, as long as it is shown. */
export const announcementQuery = (language: Language, id: string) =>
  queryOptions({
    queryKey: [...announcementsKey, language, 'one', id],
    queryFn: async (): Promise<Announcement> => {
      const query = { announcementId: id };
      const one = await value(
        client.GET('/wps/relay/MCSFE_getAnnouncement', { params: { query } }),
      );
      return readAnnouncements([{ ...one, id }])[0]!;
    },
    staleTime: 60_000,
  });

/** The banners over the registration form. */
export const registerBannersQuery = (language: Language) =>
  queryOptions({
    queryKey: [...announcementsKey, language, registerGroup],
    queryFn: ({ client: cache }) =>
      fetchAnnouncements(cache, { types: banner, groupName: registerGroup }),
    staleTime: 5 * 60_000,
  });

/** Calls that mark something as read begin no closer together. */
const throttle = 150;
let last = Number.NEGATIVE_INFINITY;
/** What is being told to the server: a second tap tells nothing new. */
const underWay = new Set<string>();

async function turn(): Promise<void> {
  const wait = last + throttle - performance.now();
  last = Math.max(performance.now(), last + throttle);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

async function tell(announcementId: string): Promise<void> {
  await turn();
  await value(
    client.POST('/wps/relay/MCSFE_markAnnouncementAsRead', {
      body: { announcementId, read: true },
    }),
  );
}

function mark(kept: Announcement[] | Announcement, read: ReadonlySet<string>) {
  const one = (item: Announcement) => (read.has(item.id) ? { ...item, read: true } : item);
  return Array.isArray(kept) ? kept.map(one) : one(kept);
}

/** Shows announcements as read at once, tells the server, then asks it how things are. */
export async function markRead(cache: QueryClient, ids: readonly string[]): Promise<void> {
  const fresh = ids.filter((id) => !underWay.has(id));
  if (fresh.length === 0) return;
  const read = new Set(fresh);
  for (const id of fresh) underWay.add(id);
  // An answer on its way was given before this reading.
  await cache.cancelQueries({ queryKey: announcementsKey });
  cache.setQueriesData<Announcement[] | Announcement>(
    { queryKey: announcementsKey },
    (kept) => kept && mark(kept, read),
  );
  await cache.cancelQueries(unreadQuery);
  cache.setQueryData(unreadQuery.queryKey, (count) => count && Math.max(0, count - fresh.length));
  try {
    await Promise.all(fresh.map(tell));
  } finally {
    for (const id of fresh) underWay.delete(id);
    await Promise.all([
      cache.invalidateQueries({ queryKey: announcementsKey }),
      cache.invalidateQueries(unreadQuery),
    ]);
  }
}
