import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge, Button, Group } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { formatTime } from '../../../format.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { useObject } from '../../../object/useObject.ts';
import { AreaTabs } from '../AreaTabs.tsx';
import { OrderDialog } from '../OrderDialog.tsx';
import { blankEntry, entryKinds, statusLabels, type Entry, type EntryKind } from './entry.ts';
import { EntryEditor } from './EntryEditor.tsx';

const columns: readonly Column<Entry>[] = [
  { key: 'title', title: msg`Title` },
  { key: 'code', title: msg`Code` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status status={status} /> },
  { key: 'languages', title: msg`Languages`, render: ({ languages }) => languages.join(', ') },
  { key: 'startsAt', title: msg`Start`, render: ({ startsAt }) => formatTime(startsAt) },
  { key: 'endsAt', title: msg`End`, render: ({ endsAt }) => formatTime(endsAt) },
];

/** Help articles also show their topic and the votes of readers. */
const helpColumns: readonly Column<Entry>[] = [
  ...columns.slice(0, 4),
  { key: 'parent', title: msg`Topic` },
  {
    key: 'helpful',
    title: msg`Found helpful`,
    render: ({ helpful, unhelpful }) =>
      helpful + unhelpful > 0 ? `${helpful} / ${helpful + unhelpful}` : '',
  },
];

function Status({ status }: { status: string }) {
  const { i18n } = useLingui();
  const label = statusLabels[status];
  return (
    <Badge color={status === 'published' ? 'teal' : 'gray'}>{label ? i18n._(label) : status}</Badge>
  );
}

function EntryListScreen({ kind }: { kind: EntryKind }) {
  const { t, i18n } = useLingui();
  const [, navigate] = useLocation();
  const path = `/ops/v1/${kind.name}`;
  return (
    <>
      <AreaTabs
        label={t`Kinds of content`}
        tabs={entryKinds.map((other) => ({ path: `/${other.name}`, label: i18n._(other.label) }))}
      />
      <Group justify="end" mb="md">
        <OrderDialog<Entry>
          label={t`Change the order`}
          path={path}
          movePath={({ id }) => `${path}/${id}/move`}
          nameOf={({ title }) => title}
        />
        <Button component={Link} href={`/${kind.name}/new`}>
          {i18n._(kind.newLabel)}
        </Button>
      </Group>
      <DataList
        key={kind.name}
        name={kind.name}
        path={path}
        columns={kind.name === 'help' ? helpColumns : columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Search` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
          },
          { name: 'from', kind: 'date', label: msg`From` },
          { name: 'to', kind: 'date', label: msg`To` },
        ]}
        onOpen={({ id }) => navigate(`/${kind.name}/${id}`)}
      />
    </>
  );
}

function EntryScreen({ kind }: { kind: EntryKind }) {
  const { id = '' } = useParams();
  const query = useObject<Entry>(`/ops/v1/${kind.name}/${id}`);
  return (
    <Detail query={query}>
      {(entry) => <EntryEditor key={entry.id} kind={kind} entry={entry} />}
    </Detail>
  );
}

/** The routes of each kind: the list, the form for a new entry, and the editor. */
export const contentRoutes = entryKinds.flatMap((kind) => [
  { path: `/${kind.name}`, screen: () => <EntryListScreen kind={kind} /> },
  {
    path: `/${kind.name}/new`,
    screen: () => <EntryEditor kind={kind} entry={blankEntry(kind)} />,
  },
  { path: `/${kind.name}/:id`, screen: () => <EntryScreen kind={kind} /> },
]);
