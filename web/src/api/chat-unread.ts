import { queryOptions } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';

export const chatKey = [...memberKey, 'chat'] as const;

/** Unread messages of the live chat. */
export const chatUnreadQuery = queryOptions({
  queryKey: [...chatKey, 'unread'],
  queryFn: async () =>
    (await value(client.GET('/wps/relay/CBS_unreadCount'))).totalUnreadCount ?? 0,
  staleTime: 30_000,
  retry: false,
});
