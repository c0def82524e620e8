import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import {
  historyQuery,
  markRead,
  openVisitorStream,
  typingQuery,
  type ChatSide,
  type ChatView,
} from '../../api/chat.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { useNow } from '../../ui/display/useNow.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Composer } from './Composer.tsx';
import { MessageRows } from './MessageRows.tsx';
import { OfflineForm } from './OfflineForm.tsx';
import { RatingCard } from './RatingCard.tsx';
import { useOutgoing } from './useOutgoing.ts';

import styles from './ChatScreen.module.css';

type ConversationProps = { side: ChatSide; chat: ChatView };

/** The messages, what the customer waits for, and the input. */
export function Conversation({ side, chat }: ConversationProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const history = useQuery(historyQuery(side));
  const outgoing = useOutgoing(side, history.dataUpdatedAt);
  const { position } = chat;
  const hasChat = chat.status !== 'none';
  const isRunning = chat.status === 'waiting' || chat.status === 'open';

  useEffect(() => {
    if (side === 'visitor' && hasChat) return openVisitorStream(cache);
  }, [cache, side, hasChat]);

  const last = history.data?.list.at(-1)?.seq ?? 0;
  useEffect(() => {
    function mark(): void {
      if (last === 0 || chat.unread === 0 || document.hidden) return;
      // A failed mark is sent again with the next message.
      markRead(cache, side, last).catch(() => {});
    }
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [cache, side, last, chat.unread]);

  return (
    <>
      <QueryView
        query={history}
        className={styles.history}
        skeleton={<Skeleton shape="box" height={64} />}
      >
        {(messages) => (
          <MessageRows
            side={side}
            history={messages}
            outgoing={outgoing.list}
            readSeq={chat.read}
            onRetry={outgoing.retry}
            onDiscard={outgoing.discard}
            newestBelow={String(chat.canRate)}
          >
            {chat.status === 'open' && <Typing name={chat.operator ?? ''} />}
            {chat.canRate && <RatingCard side={side} />}
          </MessageRows>
        )}
      </QueryView>
      {chat.status === 'waiting' && (
        <p role="status" className={styles.queue}>
          {chat.offline
            ? t`We have your message and answer when we open.`
            : position === 1
              ? t`You are next. Someone answers soon.`
              : t`You are number ${position} in the queue.`}
        </p>
      )}
      {!isRunning && !chat.online ? (
        <OfflineForm side={side} chat={chat} />
      ) : (
        <Composer side={side} chat={chat} isRunning={isRunning} onSend={outgoing.send} />
      )}
    </>
  );
}

const typingMs = 5_000;

function Typing({ name }: { name: string }) {
  const { t } = useLingui();
  const { data: since } = useQuery(typingQuery);
  const now = useNow();
  if (now - since > typingMs) return null;
  return (
    <p role="status" aria-label={t`${name} is typing`} className={styles.typing}>
      <span />
      <span />
      <span />
    </p>
  );
}
