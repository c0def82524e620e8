import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge, Button, Group, Stack, Title } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { useCan } from '../../server/permissions.ts';
import { OrderDialog } from '../offer/OrderDialog.tsx';
import type { ScreenRoute } from '../routes.ts';
import { StreamForm } from './StreamForm.tsx';
import { StreamTalk } from './StreamTalk.tsx';
import { blankStream, streamsPath, streamStatuses, type Stream } from './StreamTypes.ts';

const permission = 'content.edit';

function State({ value }: { value: string }) {
  const { i18n } = useLingui();
  const known = streamStatuses[value];
  return (
    <Badge variant="outline" color={known?.color ?? 'gray'} tt="none" autoContrast>
      {known ? i18n._(known.label) : value}
    </Badge>
  );
}

const columns: readonly Column<Stream>[] = [
  { key: 'title', title: msg`Name` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <State value={status} /> },
  { key: 'host', title: msg`Presenter` },
  { key: 'startsAt', title: msg`Start`, render: ({ startsAt }) => formatTime(startsAt) },
  { key: 'endsAt', title: msg`End`, render: ({ endsAt }) => formatTime(endsAt) },
  { key: 'lastSeq', title: msg`Messages`, align: 'end' },
];

function StreamsScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <Group justify="end" mb="md">
        <OrderDialog<Stream>
          label={t`Change the order`}
          path={streamsPath}
          movePath={({ id }) => `${streamsPath}/${id}/move`}
          nameOf={({ title }) => title}
        />
        <Button component={Link} href="/streams/new">
          {t`New live stream`}
        </Button>
      </Group>
      <DataList<Stream>
        name="streams"
        path={streamsPath}
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Search` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: Object.entries(streamStatuses).map(([value, { label }]) => ({ value, label })),
          },
        ]}
        onOpen={({ id }) => navigate(`/streams/${id}`)}
      />
    </>
  );
}

function NewStreamScreen() {
  const { t } = useLingui();
  return (
    <Stack>
      <Title order={2}>{t`New live stream`}</Title>
      <StreamForm stream={blankStream} />
    </Stack>
  );
}

function StreamScreen() {
  const { id = '' } = useParams();
  const query = useObject<Stream>(`${streamsPath}/${id}`);
  return <Detail query={query}>{(stream) => <StreamView stream={stream} />}</Detail>;
}

function StreamView({ stream }: { stream: Stream }) {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const canModerate = useCan('chat.answer');
  const path = `${streamsPath}/${stream.id}`;
  const body = { version: stream.version };
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={2}>{stream.title}</Title>
          <State value={stream.status} />
        </Group>
        <Group>
          {stream.streaming ? (
            <ActionButton
              label={t`Stop`}
              permission={permission}
              path={`${path}/stop`}
              body={body}
              reason="optional"
              change={t`Viewers see that the stream is not on air, and its chat closes.`}
            />
          ) : (
            <ActionButton
              label={t`Start`}
              variant="filled"
              permission={permission}
              path={`${path}/start`}
              body={body}
              reason="optional"
              change={t`Members see the video, and may write next to it if its chat is open.`}
            />
          )}
          <ActionButton
            label={t`Delete`}
            color="red"
            permission={permission}
            path={`${path}/delete`}
            body={body}
            reason="optional"
            change={t`The live stream and its messages are deleted.`}
            onDone={() => navigate('/streams')}
          />
        </Group>
      </Group>
      {canModerate && <StreamTalk stream={stream} />}
      <StreamForm key={stream.id} stream={stream} />
    </Stack>
  );
}

export const streamRoutes: readonly ScreenRoute[] = [
  { path: '/streams', screen: StreamsScreen },
  { path: '/streams/new', screen: NewStreamScreen },
  { path: '/streams/:id', screen: StreamScreen },
];
