import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import {
  chatImageQuery,
  loadEarlier,
  type ChatHistory,
  type ChatMessage,
  type ChatSide,
} from '../../api/chat.ts';
import { describeError } from '../../i18n/api-error.ts';
import { useBlobAddress } from '../../lib/blob-address.ts';
import { cx } from '../../lib/cx.ts';
import { formatRelative } from '../../lib/dates.ts';
import { Button } from '../../ui/Button.tsx';
import { MessageList } from '../../ui/display/MessageList.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { toast } from '../../ui/toastStore.ts';
import type { OutgoingMessage } from './outgoing-queue.ts';

import styles from './ChatScreen.module.css';

type MessageRowsProps = {
  side: ChatSide;
  history: ChatHistory;
  outgoing: readonly OutgoingMessage[];
  /** The number of the last message that the operator has read. */
  readSeq: number;
  onRetry: (clientId: string) => void;
  onDiscard: (clientId: string) => void;
  /** Identifies what was added last below the messages. */
  newestBelow: string;
  /** Below the messages. */
  children: ReactNode;
};

export function MessageRows(props: MessageRowsProps) {
  const { side, history, outgoing, readSeq, onRetry, onDiscard, newestBelow, children } = props;
  const { t } = useLingui();
  const cache = useQueryClient();
  const [isLoading, setLoading] = useState(false);
  const stored = new Set(history.list.map(({ clientId }) => clientId));

  async function loadMore(): Promise<void> {
    setLoading(true);
    try {
      await loadEarlier(cache, side);
    } catch (failure) {
      toast.error(describeError(failure));
    } finally {
      setLoading(false);
    }
  }

  return (
    <MessageList
      label={t`Messages`}
      className={styles.scroll}
      newest={`${history.list.at(-1)?.seq ?? 0} ${outgoing.length} ${newestBelow}`}
      older={
        history.hasEarlier
          ? { label: t`Earlier messages`, isLoading, onLoad: () => void loadMore() }
          : undefined
      }
      before={
        history.list.length === 0 &&
        outgoing.length === 0 && (
          <p className={styles.welcome}>
            {t`Write to us. We never ask for your password or a code.`}
          </p>
        )
      }
      after={children}
    >
      {history.list.map((message) => (
        <MessageRow
          key={message.seq}
          side={side}
          message={message}
          isRead={message.seq <= readSeq}
        />
      ))}
      {outgoing
        .filter(({ clientId }) => !stored.has(clientId))
        .map(({ clientId, text, file, state, refused }) => (
          <li key={clientId} className={styles.own}>
            <p className={cx(styles.bubble, styles.pending)} dir="auto">
              {file ? file.name : text}
            </p>
            {state === 'sending' ? (
              <span className={styles.time}>{t`Sending…`}</span>
            ) : (
              <span className={styles.failed}>
                <button type="button" className={styles.retry} onClick={() => onRetry(clientId)}>
                  <Icon name="warning-circle-fill" size={14} />
                  {t`Not sent. Tap to try again`}
                </button>
                {refused && (
                  <button
                    type="button"
                    className={styles.retry}
                    onClick={() => onDiscard(clientId)}
                  >
                    {t`Delete`}
                  </button>
                )}
              </span>
            )}
          </li>
        ))}
    </MessageList>
  );
}

type MessageRowProps = { side: ChatSide; message: ChatMessage; isRead: boolean };

function MessageRow({ side, message, isRead }: MessageRowProps) {
  const { t, i18n } = useLingui();
  if (message.kind === 'event') return <EventRow message={message} />;
  const isOwn = message.from === 'customer';
  return (
    <li className={isOwn ? styles.own : styles.theirs}>
      {message.kind === 'image' && message.image ? (
        <ChatPicture side={side} name={message.image} message={message} />
      ) : (
        <p className={styles.bubble} dir="auto">
          {message.text}
        </p>
      )}
      <span className={styles.time}>
        <time dateTime={new Date(message.at).toISOString()}>
          {formatRelative(message.at, i18n.locale)}
        </time>
        {isOwn && (
          <span className={isRead ? styles.read : undefined}>
            <Icon name={isRead ? 'checks' : 'check'} size={14} />
            <span className={styles.hidden}>{isRead ? t`Read` : t`Sent`}</span>
          </span>
        )}
      </span>
    </li>
  );
}

function EventRow({ message: { text, operator = '' } }: { message: ChatMessage }) {
  const { t } = useLingui();
  const texts: Record<string, string> = {
    claimed: t`${operator} answers you now.`,
    released: t`You are back in the queue.`,
    closed: t`The chat has ended.`,
    rated: t`Thank you for your rating.`,
  };
  const said = texts[text ?? ''];
  return said ? <li className={styles.event}>{said}</li> : null;
}

function ChatPicture({ side, name, message }: ChatPictureProps) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(chatImageQuery(side, name));
  const address = useBlobAddress(data);
  const { width = 1, height = 1 } = message;
  if (error)
    return (
      <Button variant="secondary" size="sm" icon="arrow-clockwise" onPress={() => void refetch()}>
        {t`Load the picture`}
      </Button>
    );
  return (
    <a href={address || undefined} target="_blank" rel="noreferrer" className={styles.picture}>
      {address ? (
        <img src={address} alt={t`Picture`} style={{ aspectRatio: `${width} / ${height}` }} />
      ) : (
        <span style={{ aspectRatio: `${width} / ${height}` }} />
      )}
    </a>
  );
}

type ChatPictureProps = { side: ChatSide; name: string; message: ChatMessage };
