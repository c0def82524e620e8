import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

import type { ChatSide } from '../../api/chat.ts';
import { useSession } from '../../api/session.ts';
import { outgoingQueue, type OutgoingMessage, type OutgoingQueue } from './outgoing-queue.ts';

type OutgoingMessages = Pick<OutgoingQueue, 'send' | 'retry' | 'discard'> & {
  list: readonly OutgoingMessage[];
};

/** The messages on their way. The lost ones are sent again after each contact with the server. */
export function useOutgoing(side: ChatSide, contactAt: number): OutgoingMessages {
  const cache = useQueryClient();
  const session = useSession();
  const queue = outgoingQueue(cache, side, side === 'member' ? (session?.userName ?? '') : '');
  const list = useSyncExternalStore(queue.subscribe, queue.read);
  useEffect(() => queue.resume(), [queue, contactAt]);
  return { list, send: queue.send, retry: queue.retry, discard: queue.discard };
}
