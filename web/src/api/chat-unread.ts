import { queryOptions, useQuery } from '@tanstack/react-query';

import { client, value } from './client.ts';
import { memberKey } from './member.ts';
import { isRealAccount, useSession } from './session.ts';
import { chatFlag } from './switches.gen.ts';
import { switchesQuery } from './system.ts';

export const chatKey = [...memberKey, 'chat'] as const;

export const chatUnreadQuery = queryOptions({
  queryKey: [...chatKey, 'unread'],
  queryFn: async () =>
    (await value(client.GET('/wps/relay/CBS_unreadCount'))).totalUnreadCount ?? 0,
  staleTime: 30_000,
});

/** The number of unread messages of the live chat. Guests have no chat, and the merchant can turn it off. */
export function useChatUnread(): number {
  const session = useSession();
  const { data: switches } = useQuery(switchesQuery);
  const enabled = session !== null && isRealAccount(session) && switches?.flag(chatFlag) === true;
  const { data = 0 } = useQuery({ ...chatUnreadQuery, enabled });
  return enabled ? data : 0;
}
