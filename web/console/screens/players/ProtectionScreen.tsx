import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Anchor, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Label } from '../../object/Label.tsx';
import { BreakButton } from './BreakButton.tsx';
import { signLabels } from './labels.ts';
import { SignFacts, type SignKind } from './SignFacts.tsx';

type Sign = SignKind & {
  id: string;
  memberId: string;
  username: string;
  foundAt: number;
  status: string;
  handledBy?: string;
  version: number;
};

const columns: readonly Column<Sign>[] = [
  { key: 'foundAt', title: msg`Found`, render: (row) => formatTime(row.foundAt) },
  {
    key: 'username',
    title: msg`Member`,
    render: (row) => (
      <Anchor component={Link} href={`/members/${row.memberId}`}>
        {row.username}
      </Anchor>
    ),
  },
  { key: 'kind', title: msg`Sign`, render: (row) => <SignName kind={row.kind} /> },
  { key: 'facts', title: msg`Figures`, render: (row) => <SignFacts sign={row} /> },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => <Label labels={signLabels} value={status} />,
  },
  { key: 'handledBy', title: msg`Operator` },
  { key: 'version', title: msg`Actions`, render: (row) => <SignActions sign={row} /> },
];

/** Members with signs of risky play. */
export function ProtectionScreen() {
  return (
    <DataList<Sign>
      name="protection"
      path="/ops/v1/protection"
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Username` },
        {
          name: 'kind',
          kind: 'choice',
          label: msg`Sign`,
          options: [
            { value: 'raise', label: msg`Raised a limit` },
            { value: 'chase', label: msg`Chases losses` },
            { value: 'night', label: msg`Plays at night` },
          ],
        },
        {
          name: 'state',
          kind: 'choice',
          label: msg`Status`,
          options: Object.entries(signLabels).map(([value, label]) => ({ value, label })),
        },
      ]}
    />
  );
}

function SignName({ kind }: { kind: string }) {
  const { t } = useLingui();
  if (kind === 'raise') return t`Raised a limit`;
  return kind === 'chase' ? t`Chases losses` : t`Plays at night`;
}

function SignActions({ sign }: { sign: Sign }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const path = `/ops/v1/protection/${sign.id}`;
  return (
    <Group gap="xs">
      <ActionButton
        label={t`Contact`}
        size="xs"
        permission="member.edit"
        path={`${path}/contact`}
        body={{ version: sign.version, text }}
        change={t`The member gets this message in the inbox. It is also stored as a note.`}
        fields={
          <Textarea
            label={t`Message to the member`}
            rows={4}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        }
      />
      <BreakButton path={`${path}/break`} version={sign.version} />
      <ActionButton
        label={t`Dismiss`}
        size="xs"
        permission="member.edit"
        path={`${path}/dismiss`}
        body={{ version: sign.version }}
        reason="optional"
        change={[
          {
            label: t`Status`,
            before: <Label labels={signLabels} value={sign.status} />,
            after: t`Dismissed`,
          },
        ]}
      />
    </Group>
  );
}
