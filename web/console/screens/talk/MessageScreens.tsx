import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import type { ScreenRoute } from '../routes.ts';
import { MessageForm } from './MessageForm.tsx';
import { audiences, languageNames, type Message } from './MessageTypes.ts';

const statuses: Record<string, { label: MessageDescriptor; color: string }> = {
  scheduled: { label: msg`Scheduled`, color: 'yellow' },
  sending: { label: msg`Being sent`, color: 'blue' },
  sent: { label: msg`Sent`, color: 'green' },
  ended: { label: msg`Ended`, color: 'gray' },
  withdrawn: { label: msg`Withdrawn`, color: 'red' },
};

function State({ value }: { value: string }) {
  const { i18n } = useLingui();
  const known = statuses[value];
  return (
    <Badge variant="outline" color={known?.color ?? 'gray'} tt="none" autoContrast>
      {known ? i18n._(known.label) : value}
    </Badge>
  );
}

function Audience({ message }: { message: Message }) {
  const { i18n } = useLingui();
  const label = audiences[message.audience];
  return <>{message.member ?? (label ? i18n._(label) : message.audience)}</>;
}

const columns: readonly Column<Message>[] = [
  { key: 'createdAt', title: msg`Time`, render: ({ createdAt }) => formatTime(createdAt) },
  { key: 'title', title: msg`Title` },
  { key: 'audience', title: msg`Recipients`, render: (message) => <Audience message={message} /> },
  { key: 'status', title: msg`Status`, render: ({ status }) => <State value={status} /> },
  {
    key: 'startsAt',
    title: msg`Start`,
    render: ({ startsAt, createdAt }) => formatTime(startsAt || createdAt),
  },
  { key: 'reached', title: msg`Delivered`, align: 'end' },
  { key: 'readers', title: msg`Read`, align: 'end' },
  { key: 'createdBy', title: msg`Operator` },
];

function MessagesScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <Group justify="end" mb="md">
        <Button component={Link} href="/messages/new">
          {t`New message`}
        </Button>
      </Group>
      <DataList<Message>
        name="messages"
        path="/ops/v1/messages"
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Search` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: Object.entries(statuses).map(([value, { label }]) => ({ value, label })),
          },
        ]}
        onOpen={({ id }) => navigate(`/messages/${id}`)}
      />
    </>
  );
}

function NewMessageScreen() {
  const [, navigate] = useLocation();
  return <MessageForm onSent={({ id }) => navigate(`/messages/${id}`)} />;
}

function MessageScreen() {
  const { id = '' } = useParams();
  const query = useObject<Message>(`/ops/v1/messages/${id}`);
  return <Detail query={query}>{(message) => <MessageView message={message} />}</Detail>;
}

function MessageView({ message }: { message: Message }) {
  const { t, i18n } = useLingui();
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={2}>{message.title}</Title>
          <State value={message.status} />
        </Group>
        {!['ended', 'withdrawn'].includes(message.status) && (
          <ActionButton
            label={t`Withdraw`}
            color="red"
            permission="message.send"
            path={`/ops/v1/messages/${message.id}/withdraw`}
            body={{ version: message.version }}
            reason="optional"
            change={
              message.status === 'scheduled'
                ? t`No member gets the message.`
                : t`The message disappears from every inbox. Push messages and e-mails that were sent stay.`
            }
          />
        )}
      </Group>
      <Fields
        rows={[
          { label: t`Recipients`, value: <Audience message={message} /> },
          { label: t`Promotional`, value: message.promotional ? t`Yes` : t`No` },
          { label: t`Link`, value: message.link },
          { label: t`Delivered`, value: message.reached },
          { label: t`Read`, value: message.readers },
          { label: t`Operator`, value: message.createdBy },
          { label: t`Time`, value: formatTime(message.createdAt) },
          { label: t`Start`, value: formatTime(message.startsAt) },
          { label: t`End`, value: formatTime(message.endsAt) },
        ]}
      />
      {message.segment && (
        <Text component="pre" size="sm">
          {JSON.stringify(message.segment, null, 2)}
        </Text>
      )}
      {Object.entries(message.texts).map(([language, text]) => (
        <Paper key={language} withBorder p="md" lang={language} dir="auto">
          <Text size="sm" c="dimmed">
            {languageNames[language] ? i18n._(languageNames[language]) : language}
          </Text>
          <Title order={3} size="h4">
            {text.title}
          </Title>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{text.body}</Text>
        </Paper>
      ))}
    </Stack>
  );
}

export const messageRoutes: readonly ScreenRoute[] = [
  { path: '/messages', screen: MessagesScreen },
  { path: '/messages/new', screen: NewMessageScreen },
  { path: '/messages/:id', screen: MessageScreen },
];
