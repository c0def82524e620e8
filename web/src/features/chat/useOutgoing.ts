import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import { newClientId, sendMessage, type ChatSide, type Outgoing } from '../../api/chat.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { toast } from '../../ui/toastStore.ts';

export type OutgoingMessage = Outgoing & {
  state: 'sending' | 'failed';
  /** The server refused it. A lost message is sent again after the next contact with the server. */
  refused: boolean;
};

type Draft = { text: string; file?: File; name?: string };

export type OutgoingMessages = {
  list: readonly OutgoingMessage[];
  send: (draft: Draft) => void;
  retry: (clientId: string) => void;
};

/** Messages on their way. Each keeps its id when it is sent again, so that the server stores it once. */
export function useOutgoing(side: ChatSide, contactAt: number): OutgoingMessages {
  const cache = useQueryClient();
  const [list, setList] = useState<readonly OutgoingMessage[]>([]);
  const current = useRef(list);
  useEffect(() => {
    current.current = list;
  }, [list]);

  const transmit = useCallback(
    async (message: Outgoing, name?: string) => {
      const change = (state: OutgoingMessage['state'], refused: boolean) =>
        setList((all) => {
          const rest = all.filter(({ clientId }) => clientId !== message.clientId);
          return [...rest, { ...message, state, refused }];
        });
      change('sending', false);
      try {
        await sendMessage(cache, side, message, name);
        setList((all) => all.filter(({ clientId }) => clientId !== message.clientId));
      } catch (failure) {
        change('failed', wasAnswered(failure));
        if (wasAnswered(failure)) toast.error(describeError(failure));
      }
    },
    [cache, side],
  );

  useEffect(() => {
    for (const message of current.current)
      if (message.state === 'failed' && !message.refused) void transmit(message);
  }, [contactAt, transmit]);

  return {
    list,
    send: ({ name, ...draft }) => void transmit({ clientId: newClientId(), ...draft }, name),
    retry(clientId) {
      const message = list.find((each) => each.clientId === clientId);
      if (message?.state === 'failed') void transmit(message);
    },
  };
}
