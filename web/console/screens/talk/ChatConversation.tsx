import { useLingui } from '@lingui/react/macro';
import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { request } from '../../server/request.ts';
import { ChatComposer } from './ChatComposer.tsx';
import { loadEarlier, messageLogQuery } from './ChatLog.ts';
import { ChatSidebar } from './ChatSidebar.tsx';
import { chatPath, type ChatDetail, type ChatMessage } from './ChatTypes.ts';

import styles from './Chat.module.css';

/** One conversation with its messages, an input, the customer and the notes. */
export function ChatConversation({ id }: { id: string }) {
  const path = chatPath(id);
  const chat = useObject<ChatDetail>(path);
  return (
    <Detail query={chat}>
      {(value) => (
        <div className={styles.columns}>
          <Stack className={styles.main}>
            <ChatHeader chat={value} path={path} />
            <MessageLog chat={value} path={path} />
            {value.mine && <ChatComposer chat={value} path={path} />}
          </Stack>
          <ChatSidebar chat={value} path={path} />
        </div>
      )}
    </Detail>
  );
}

type PartProps = { chat: ChatDetail; path: string };

function ChatHeader({ chat, path }: PartProps) {
  const { t } = useLingui();
  const sharedProps = { permission: 'chat.answer', body: { version: chat.version } };
  const statusChange = (after: string) => [{ label: t`Status`, before: chat.status, after }];
  return (
    <Group justify="space-between">
      <Group>
        <Title order={2}>{chat.name || t`Visitor`}</Title>
        <Badge color={chat.status === 'open' ? 'green' : 'gray'}>{chat.status}</Badge>
        <Badge color={chat.verified ? 'green' : 'yellow'} variant="light">
          {chat.verified ? t`Logged in` : t`Not verified`}
        </Badge>
        {chat.offline && <Badge variant="outline">{t`Left a message`}</Badge>}
      </Group>
      <Group>
        {chat.status === 'waiting' && (
          <ActionButton
            {...sharedProps}
            label={t`Claim`}
            path={`${path}/claim`}
            change={statusChange('open')}
          />
        )}
        {chat.status === 'open' && (
          <ActionButton
            {...sharedProps}
            label={t`Back to the queue`}
            path={`${path}/release`}
            change={statusChange('waiting')}
          />
        )}
        {chat.status !== 'closed' && (
          <ActionButton
            {...sharedProps}
            label={t`Close the chat`}
            color="red"
            path={`${path}/close`}
            change={statusChange('closed')}
          />
        )}
        <Anchor href={`${path}/transcript`} download>
          {t`Transcript`}
        </Anchor>
      </Group>
    </Group>
  );
}

function MessageLog({ chat, path }: PartProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const messagesPath = `${path}/messages`;
  const log = useQuery(messageLogQuery(messagesPath));
  const bottom = useRef<HTMLLIElement>(null);
  const all = log.data?.list ?? [];
  const last = all.at(-1)?.seq ?? 0;
  const { mine, unread } = chat;

  useEffect(() => bottom.current?.scrollIntoView({ block: 'nearest' }), [last]);
  useEffect(() => {
    if (!mine || unread === 0 || last === 0) return;
    // If this fails, it is sent again with the next message.
    request('POST', `${path}/read`, { body: { seq: last } }).catch(() => {});
  }, [mine, unread, last, path]);

  return (
    <ol className={styles.log} aria-label={t`Messages`} aria-live="polite">
      {log.data?.hasEarlier && (
        <li>
          <Button variant="default" size="xs" onClick={() => void loadEarlier(cache, messagesPath)}>
            {t`Earlier messages`}
          </Button>
        </li>
      )}
      {all.map((message) => (
        <MessageRow key={message.seq} chat={chat} path={path} message={message} />
      ))}
      <Typing chat={chat} />
      <li ref={bottom} aria-hidden />
    </ol>
  );
}

function MessageRow({ chat, path, message }: PartProps & { message: ChatMessage }) {
  const { t } = useLingui();
  const { kind, from, text = '', image = '', operator, at, seq } = message;
  if (kind === 'event')
    return (
      <li className={styles.event}>
        {[text, operator, formatTime(at)].filter(Boolean).join(' · ')}
      </li>
    );
  const isRead = from === 'operator' && seq <= chat.customerRead;
  return (
    <li className={from === 'operator' ? styles.own : styles.theirs}>
      {kind === 'image' ? (
        <img className={styles.picture} src={`${path}/images/${image}`} alt={t`Picture`} />
      ) : (
        <p className={styles.bubble} dir="auto">
          {text}
        </p>
      )}
      <Text size="xs" c="dimmed">
        {[operator, formatTime(at), isRead && t`Read`].filter(Boolean).join(' · ')}
      </Text>
    </li>
  );
}

const typingHintMs = 5_000;

function Typing({ chat }: { chat: ChatDetail }) {
  const { t } = useLingui();
  const { data: typingAt } = useQuery({
    queryKey: ['typing', chat.id],
    queryFn: () => 0,
    enabled: false,
    initialData: 0,
  });
  const [expiredTypingAt, setExpiredTypingAt] = useState(0);
  useEffect(() => {
    const timer = setTimeout(
      setExpiredTypingAt,
      Math.max(0, typingAt + typingHintMs - Date.now()),
      typingAt,
    );
    return () => clearTimeout(timer);
  }, [typingAt]);
  if (typingAt === expiredTypingAt) return null;
  return <li className={styles.event} role="status">{t`The customer is typing…`}</li>;
}
