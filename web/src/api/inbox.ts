import {
  infiniteQueryOptions,
  queryOptions,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import type { components } from './schema.d.ts';

export type InboxItem = components['schemas']['MessageInboxItem'];
type InboxMessage = components['schemas']['MessageInboxMessage'];

export const inboxKey = [...memberKey, 'inbox'] as const;

/** The number of unread messages in the inbox. */
export const inboxUnreadQuery = queryOptions({
  queryKey: [...inboxKey, 'unread'],
  queryFn: async () =>
    (await value(client.GET('/wps/relay/EMFE_getInboxUnreadCount'))).inboxUnreadCount ?? 0,
  staleTime: 30_000,
});

type InboxPage = { list: readonly InboxItem[]; next: string };

export const inboxQuery = (language: string, unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [...inboxKey, 'list', language, unread],
    queryFn: async ({ pageParam }): Promise<InboxPage> => {
      const query = { unread, ...(pageParam && { cursor: pageParam }) };
      const { list, next } = await value(
        client.GET('/wps/relay/EMFE_getInboxMessages', { params: { query } }),
      );
      return { list: list ?? [], next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next || undefined,
  });

/** Returns the list with a message that it may no longer contain, for example a read one among the unread. */
export function withItem(data: InfiniteData<InboxPage>, item: InboxItem): InfiniteData<InboxPage> {
  const { pages } = data;
  if (pages.some(({ list }) => list.some(({ id }) => id === item.id))) return data;
  const isOlder = ({ createdAt }: InboxItem) => createdAt <= item.createdAt;
  const found = pages.findIndex(({ list }) => list.some(isOlder));
  const at = found === -1 ? pages.length - 1 : found;
  return {
    ...data,
    pages: pages.map((page, index) => {
      if (index !== at) return page;
      const before = page.list.findIndex(isOlder);
      return {
        ...page,
        list: page.list.toSpliced(before === -1 ? page.list.length : before, 0, item),
      };
    }),
  };
}

export const inboxMessageQuery = (language: string, id: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'one', language, id],
    queryFn: (): Promise<InboxMessage> =>
      value(client.GET('/wps/relay/EMFE_getInboxMessage', { params: { query: { id } } })),
    staleTime: 60_000,
  });

const reload = (cache: QueryClient) => cache.invalidateQueries({ queryKey: inboxKey });

export async function markInboxRead(cache: QueryClient, id: string): Promise<void> {
  await value(client.POST('/wps/relay/EMFE_markInboxMessageAsRead', { body: { id } }));
  await reload(cache);
}

export async function markAllInboxRead(cache: QueryClient): Promise<void> {
  await value(client.POST('/wps/relay/EMFE_markAllInboxMessagesAsRead'));
  await reload(cache);
}

export async function deleteInboxMessage(cache: QueryClient, id: string): Promise<void> {
  await value(client.POST('/wps/relay/EMFE_deleteInboxMessage', { body: { id } }));
  await reload(cache);
}

export async function deleteReadInbox(cache: QueryClient): Promise<void> {
  await value(client.POST('/wps/relay/EMFE_deleteReadInboxMessages'));
  await reload(cache);
}
