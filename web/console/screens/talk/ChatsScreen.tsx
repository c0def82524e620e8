import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Anchor, Badge, Group, NavLink, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';

import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { describeError } from '../../server/errors.ts';
import { request } from '../../server/request.ts';
import { Status } from '../control/Status.tsx';
import { ChatConversation } from './ChatConversation.tsx';
import type { ChatRow } from './ChatTypes.ts';

import styles from './Chat.module.css';

const columns: readonly Column<ChatRow>[] = [
  { key: 'name', title: msg`Customer` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
  { key: 'operator', title: msg`Operator` },
  { key: 'preview', title: msg`Last message` },
  { key: 'rating', title: msg`Rating`, render: ({ rating }) => rating || '–' },
  { key: 'updatedAt', title: msg`Changed`, render: ({ updatedAt }) => formatTime(updatedAt) },
];

/** The operator's chats and the queue, next to the open chat or the list of all. */
export function ChatsScreen() {
  const { id } = useParams<{ id?: string }>();
  const [, navigate] = useLocation();
  const { t } = useLingui();
  return (
    <div className={styles.columns}>
      <Stack component="nav" gap="xs" aria-label={t`Chats`} className={styles.side}>
        <ChatSection title={t`My chats`} query={{ state: 'open', mine: 'true' }} current={id} />
        <ChatSection title={t`Queue`} query={{ state: 'waiting', sort: 'wait' }} current={id} />
        <Anchor component={Link} href="/chats">
          {t`All chats`}
        </Anchor>
        <Anchor component={Link} href="/replies">
          {t`Saved replies`}
        </Anchor>
      </Stack>
      <div className={styles.main}>
        {id ? (
          <ChatConversation key={id} id={id} />
        ) : (
          <DataList<ChatRow>
            name="chats"
            path="/ops/v1/chats"
            columns={columns}
            filters={[
              { name: 'q', kind: 'text', label: msg`Name, contact or id` },
              {
                name: 'state',
                kind: 'choice',
                label: msg`Status`,
                options: [
                  { value: 'waiting', label: msg`Waiting` },
                  { value: 'open', label: msg`Open` },
                  { value: 'closed', label: msg`Closed` },
                ],
              },
            ]}
            sorts={[
              { value: 'updatedAt', label: msg`Changed last` },
              { value: 'wait', label: msg`Waiting longest` },
            ]}
            onOpen={(row) => navigate(`/chats/${row.id}`)}
          />
        )}
      </div>
    </div>
  );
}

type ChatSectionProps = {
  title: string;
  query: Record<string, string>;
  current: string | undefined;
};

function ChatSection({ title, query, current }: ChatSectionProps) {
  const { t } = useLingui();
  const listQuery = { ...query, pageSize: '100' };
  const { data, error } = useQuery({
    queryKey: ['list', '/ops/v1/chats', listQuery],
    queryFn: () => request<{ list: ChatRow[] }>('GET', '/ops/v1/chats', { query: listQuery }),
  });
  const rows = data?.list ?? [];
  return (
    <section>
      <Group justify="space-between">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Badge variant="light">{rows.length}</Badge>
      </Group>
      {error && <Text c="red">{describeError(error)}</Text>}
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t`Nobody waits.`}
        </Text>
      )}
      {rows.map((row) => (
        <NavLink
          key={row.id}
          component={Link}
          href={`/chats/${row.id}`}
          active={row.id === current}
          label={row.name || t`Visitor`}
          description={row.preview}
          rightSection={
            row.unread > 0 ? <Badge aria-label={t`Unread`}>{row.unread}</Badge> : undefined
          }
        />
      ))}
    </section>
  );
}
