import { useLingui } from '@lingui/react/macro';
import { Anchor, Card, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { useCan } from '../../server/permissions.ts';
import type { ChatDetail } from './ChatTypes.ts';

import styles from './Chat.module.css';

type ChatSidebarProps = { chat: ChatDetail; path: string };

/** The customer, the operators' notes and the ratings. */
export function ChatSidebar({ chat, path }: ChatSidebarProps) {
  const { t } = useLingui();
  const canRead = useCan('member.read');
  return (
    <Stack className={styles.side}>
      {chat.memberId && canRead ? (
        <MemberCard id={chat.memberId} />
      ) : (
        <Card withBorder>
          <Fields
            rows={[
              { label: t`Name`, value: chat.name },
              { label: t`Contact`, value: chat.contact },
              { label: t`Language`, value: chat.language },
            ]}
          />
        </Card>
      )}
      <Notes chat={chat} path={path} />
      {chat.ratings.length > 0 && (
        <Card withBorder>
          <Title order={3} size="h5">{t`Ratings`}</Title>
          {chat.ratings.map(({ stars, comment, operator, at }) => (
            <Text key={at} size="sm">
              {[`${stars}/5`, comment, operator, formatTime(at)].filter(Boolean).join(' · ')}
            </Text>
          ))}
        </Card>
      )}
    </Stack>
  );
}

type Member = {
  id: string;
  username: string;
  realName: string;
  status: string;
  vipLabel: string;
  currency: string;
  createdAt: number;
};

function MemberCard({ id }: { id: string }) {
  const { t } = useLingui();
  const member = useObject<Member>(`/ops/v1/members/${id}`);
  return (
    <Card withBorder>
      <Detail query={member}>
        {(value) => (
          <Stack gap="xs">
            <Anchor component={Link} href={`/members/${id}`} fw={600}>
              {value.username}
            </Anchor>
            <Fields
              rows={[
                { label: t`Real name`, value: value.realName },
                { label: t`Status`, value: value.status },
                { label: t`VIP`, value: value.vipLabel },
                { label: t`Currency`, value: value.currency },
                { label: t`Registered`, value: formatTime(value.createdAt) },
              ]}
            />
          </Stack>
        )}
      </Detail>
    </Card>
  );
}

function Notes({ chat, path }: ChatSidebarProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  return (
    <Card withBorder>
      <Stack gap="xs">
        <Title order={3} size="h5">{t`Notes`}</Title>
        {chat.notes.map((note) => (
          <div key={note.at}>
            <Text size="sm" className={styles.note}>
              {note.text}
            </Text>
            <Text size="xs" c="dimmed">
              {note.operator} · {formatTime(note.at)}
            </Text>
          </div>
        ))}
        <ActionButton
          label={t`Add a note`}
          permission="chat.answer"
          path={`${path}/notes`}
          body={{ text: text.trim() }}
          change={t`Only operators see notes.`}
          onDone={() => setText('')}
          fields={
            <Textarea
              label={t`Note`}
              maxLength={2000}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          }
        />
      </Stack>
    </Card>
  );
}
