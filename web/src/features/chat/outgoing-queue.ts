// Messages on their way to the server. They survive leaving the screen, and texts also survive a reload.
import type { QueryClient } from '@tanstack/react-query';

import {
  chatSide,
  newClientId,
  refreshChat,
  sendMessage,
  type ChatSide,
  type Outgoing,
} from '../../api/chat.ts';
import { currentSession } from '../../api/session.ts';
import { describeError, errorOfThrown, wasRefused } from '../../i18n/api-error.ts';
import { sessionStore } from '../../lib/storage.ts';
import { toast } from '../../ui/toastStore.ts';
import { readDraft, storeDraft } from './draft.ts';

export type OutgoingMessage = Outgoing & {
  state: 'sending' | 'failed';
  /** The server refused it. A lost message is sent again after the next contact with the server. */
  refused: boolean;
};

export type OutgoingQueue = {
  read: () => readonly OutgoingMessage[];
  subscribe: (listener: () => void) => () => void;
  send: (draft: Omit<Outgoing, 'clientId'>) => void;
  retry: (clientId: string) => void;
  /** Drops a message that the server refused. */
  discard: (clientId: string) => void;
  /** Sends the lost messages again. */
  resume: () => void;
};

const queues = new WeakMap<QueryClient, Map<string, OutgoingQueue>>();

/** Returns the queue of a member or visitor. */
export function outgoingQueue(cache: QueryClient, side: ChatSide, userName: string): OutgoingQueue {
  const known = queues.get(cache) ?? new Map<string, OutgoingQueue>();
  queues.set(cache, known);
  const key = `chat-outgoing.${side}.${userName}`;
  const isOwner = () => {
    const session = currentSession();
    return chatSide(session) === side && (side === 'visitor' || session?.userName === userName);
  };
  const queue = known.get(key) ?? createQueue(cache, side, key, isOwner);
  known.set(key, queue);
  return queue;
}

function restore(key: string): readonly OutgoingMessage[] {
  const stored = JSON.parse(sessionStore.get(key) ?? '[]') as OutgoingMessage[];
  return stored.map((message) => ({ ...message, state: 'failed' }));
}

function createQueue(
  cache: QueryClient,
  side: ChatSide,
  key: string,
  isOwner: () => boolean,
): OutgoingQueue {
  let list = restore(key);
  let isRunning = false;
  const listeners = new Set<() => void>();

  function change(next: readonly OutgoingMessage[]): void {
    list = next;
    // A file cannot be stored.
    const texts = list.filter(({ file }) => !file);
    if (texts.length > 0) sessionStore.set(key, JSON.stringify(texts));
    else sessionStore.remove(key);
    for (const listener of listeners) listener();
  }

  async function transmit(message: OutgoingMessage): Promise<void> {
    try {
      await sendMessage(cache, side, message);
      change(list.filter(({ clientId }) => clientId !== message.clientId));
    } catch (failure) {
      const refused = wasRefused(failure);
      if (errorOfThrown(failure).code === 'chat.offline') moveToDraft(message);
      // Without contact the later messages wait too, so that the order stays.
      change(
        list.map((each) =>
          each.clientId === message.clientId || (!refused && each.state === 'sending')
            ? { ...each, state: 'failed', refused }
            : each,
        ),
      );
      if (refused) toast.error(describeError(failure));
    }
  }

  /** Customer service has closed: the texts can only be sent with the offline form, which shows the draft. */
  function moveToDraft({ clientId }: OutgoingMessage): void {
    const isMoved = (each: OutgoingMessage) =>
      !each.file && (each.clientId === clientId || each.state === 'sending');
    const texts = list.filter((each) => isMoved(each)).map(({ text }) => text);
    storeDraft([...texts, readDraft()].filter(Boolean).join('\n'));
    change(list.filter((each) => !isMoved(each)));
    // If it fails, the next contact with the server shows the form.
    refreshChat(cache, side).catch(() => {});
  }

  /** Sends one message after the other. Each keeps its id when it is sent again, so that the server stores it once. */
  async function run(): Promise<void> {
    // After a logout the rest waits for its writer.
    const next = isOwner() ? list.find(({ state }) => state === 'sending') : undefined;
    isRunning = next !== undefined;
    if (!next) return;
    await transmit(next);
    return run();
  }

  function start(next: readonly OutgoingMessage[]): void {
    change(next);
    if (!isRunning) void run();
  }

  const resend = (isChosen: (message: OutgoingMessage) => boolean) => {
    if (list.some((each) => isChosen(each) && (each.state === 'failed' || !isRunning)))
      start(
        list.map((each) => (isChosen(each) ? { ...each, state: 'sending', refused: false } : each)),
      );
  };

  return {
    read: () => list,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    send: (draft) =>
      start([...list, { clientId: newClientId(), ...draft, state: 'sending', refused: false }]),
    discard: (clientId) =>
      change(list.filter((each) => each.clientId !== clientId || !each.refused)),
    retry: (clientId) => resend((each) => each.clientId === clientId || !each.refused),
    resume: () => resend((each) => !each.refused),
  };
}
