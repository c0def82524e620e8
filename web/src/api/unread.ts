// The unread counts of the message centre and the badges of header and menu.
import { useQuery } from '@tanstack/react-query';

import { chatUnreadQuery } from './chat-unread.ts';
import { unreadQuery } from './content.ts';
import { inboxUnreadQuery } from './inbox.ts';
import { isRealAccount, useSession, whileLoggedIn } from './session.ts';
import { chatFlag, inboxModule } from './switches.gen.ts';
import { switchesQuery } from './system.ts';

/** The minimum time between two requests for the counts, for example after several events. */
export const throttleMs = 250;

type UnreadCounts = { announcements: number; inbox: number; chat: number; total: number };

/** The counts of a member. Visitors have none, and guests have no inbox and no chat. */
export function useUnread(): UnreadCounts {
  const session = useSession();
  const { data: switches } = useQuery(switchesQuery);
  const isReal = isRealAccount(session);
  const hasInbox = isReal && switches?.module(inboxModule) === true;
  const hasChat = isReal && switches?.flag(chatFlag) === true;
  const announcements = useQuery({ ...unreadQuery, enabled: whileLoggedIn(session !== null) });
  const inbox = useQuery({ ...inboxUnreadQuery, enabled: whileLoggedIn(hasInbox) });
  const chat = useQuery({ ...chatUnreadQuery, enabled: whileLoggedIn(hasChat) });
  const counts = {
    announcements: session ? (announcements.data ?? 0) : 0,
    inbox: hasInbox ? (inbox.data ?? 0) : 0,
    chat: hasChat ? (chat.data ?? 0) : 0,
  };
  return { ...counts, total: counts.announcements + counts.inbox + counts.chat };
}

/** Runs a task at once, then at most once per interval. The last call within an interval runs at its end. */
export function throttle(task: () => void, intervalMs: number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    if (timer !== undefined) return;
    const wait = last + intervalMs - Date.now();
    const run = () => {
      timer = undefined;
      last = Date.now();
      task();
    };
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
