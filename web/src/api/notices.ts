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
import { viewerKey } from './member.ts';
import { isAgent, type Session } from './session.ts';

/** The prefix of every announcement query, including home's. */
const announcementsKey = [...viewerKey, 'announcements'] as const;

/** All notices, newest first. Agents also get the notices for agents. */
export const noticesQuery = (language: Language, session: Session | null) =>
  queryOptions({
    queryKey: [...announcementsKey, language, 'notices', isAgent(session)],
    queryFn: async ({ client: cache }): Promise<Announcement[]> => {
      const types = isAgent(session) ? `${playerNotice},${agentNotice}` : playerNotice;
      const list = await fetchAnnouncements(cache, { types });
      // The sort is stable, so notices of the same time keep the operator's order.
      return list.toSorted((a, b) => b.startTime - a.startTime);
    },
    staleTime: 30_000,
  });

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

export const registerBannersQuery = (language: Language) =>
  queryOptions({
    queryKey: [...announcementsKey, language, registerGroup],
    queryFn: ({ client: cache }) =>
      fetchAnnouncements(cache, { types: banner, groupName: registerGroup }),
    staleTime: 5 * 60_000,
  });

/** The minimum time between two requests that mark a notice as read. */
const throttleMs = 150;
let lastSlot = Number.NEGATIVE_INFINITY;
/** The ids whose requests have not finished. A second tap on the same notice sends nothing. */
const pending = new Set<string>();

async function waitForSlot(): Promise<void> {
  const wait = lastSlot + throttleMs - performance.now();
  lastSlot = Math.max(performance.now(), lastSlot + throttleMs);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

async function sendRead(announcementId: string): Promise<void> {
  await waitForSlot();
  await value(
    client.POST('/wps/relay/MCSFE_markAnnouncementAsRead', {
      body: { announcementId, read: true },
    }),
  );
}

function withRead(cached: Announcement[] | Announcement, read: ReadonlySet<string>) {
  const mark = (item: Announcement) => (read.has(item.id) ? { ...item, read: true } : item);
  return Array.isArray(cached) ? cached.map(mark) : mark(cached);
}

/** Shows announcements as read at once, saves that on the server, then reloads them. */
export async function markRead(cache: QueryClient, ids: readonly string[]): Promise<void> {
  const fresh = ids.filter((id) => !pending.has(id));
  if (fresh.length === 0) return;
  const read = new Set(fresh);
  for (const id of fresh) pending.add(id);
  // A request already in flight does not include this change.
  await cache.cancelQueries({ queryKey: announcementsKey });
  cache.setQueriesData<Announcement[] | Announcement>(
    { queryKey: announcementsKey },
    (cached) => cached && withRead(cached, read),
  );
  await cache.cancelQueries(unreadQuery);
  cache.setQueryData(unreadQuery.queryKey, (count) => count && Math.max(0, count - fresh.length));
  try {
    await Promise.all(fresh.map(sendRead));
  } finally {
    for (const id of fresh) pending.delete(id);
    await Promise.all([
      cache.invalidateQueries({ queryKey: announcementsKey }),
      cache.invalidateQueries(unreadQuery),
    ]);
  }
}
