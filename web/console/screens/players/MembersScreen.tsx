import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Status } from '../control/Status.tsx';

export type MemberRow = {
  id: string;
  username: string;
  nickname: string;
  realName: string;
  mobile: string;
  email: string;
  type: number;
  status: string;
  currency: string;
  createdAt: number;
  version: number;
};

const columns: readonly Column<MemberRow>[] = [
  { key: 'username', title: msg`Username` },
  { key: 'nickname', title: msg`Nickname` },
  { key: 'realName', title: msg`Real name` },
  { key: 'mobile', title: msg`Number` },
  { key: 'email', title: msg`E-mail` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
  { key: 'currency', title: msg`Currency`, isHidden: true },
  { key: 'createdAt', title: msg`Registered`, render: (row) => formatTime(row.createdAt) },
  { key: 'id', title: msg`Id`, isHidden: true },
];

/** Searches members, and changes the selected ones. */
export function MembersScreen() {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<MemberRow[]>([]);
  return (
    <Stack>
      {selected.length > 0 && <BulkActions selected={selected} onDone={() => setSelected([])} />}
      <DataList<MemberRow>
        name="members"
        path="/ops/v1/members"
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Name, number, e-mail or id` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: [
              { value: 'active', label: msg`Active` },
              { value: 'disabled', label: msg`Disabled` },
              { value: 'held', label: msg`Held for review` },
            ],
          },
          { name: 'tag', kind: 'text', label: msg`Tag` },
          { name: 'from', kind: 'date', label: msg`Registered from` },
          { name: 'to', kind: 'date', label: msg`Registered until` },
        ]}
        selection={{ rows: selected, onChange: setSelected }}
        onOpen={({ id }) => navigate(`/members/${id}`)}
      />
    </Stack>
  );
}

type BulkActionsProps = { selected: readonly MemberRow[]; onDone: () => void };

function BulkActions({ selected, onDone }: BulkActionsProps) {
  const { t } = useLingui();
  const [tag, setTag] = useState('');
  const count = selected.length;
  const ids = selected.map(({ id }) => id);
  const change = (
    <Stack gap="xs">
      <Text>{t`This changes ${count} members:`}</Text>
      <List mah={200} style={{ overflow: 'auto' }}>
        {selected.map(({ id, username }) => (
          <List.Item key={id}>{username}</List.Item>
        ))}
      </List>
    </Stack>
  );
  const sharedProps = { permission: 'member.edit', change, onDone, reason: 'optional' as const };
  return (
    <Group>
      <Text fw={600}>{t`${count} selected`}</Text>
      <ActionButton
        {...sharedProps}
        label={t`Disable`}
        color="red"
        path="/ops/v1/members/disable"
        body={{ ids }}
      />
      <ActionButton
        {...sharedProps}
        label={t`Log out`}
        path="/ops/v1/members/logout"
        body={{ ids }}
      />
      <ActionButton
        {...sharedProps}
        label={t`Add a tag`}
        path="/ops/v1/members/tag"
        body={{ ids, tag: tag.trim() }}
        fields={
          <TextInput
            label={t`Tag`}
            maxLength={32}
            value={tag}
            onChange={(event) => setTag(event.currentTarget.value)}
          />
        }
      />
    </Group>
  );
}
