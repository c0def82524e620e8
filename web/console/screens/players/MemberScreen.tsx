import { useLingui } from '@lingui/react/macro';
import { Badge, Group, Stack, Tabs, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';

import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { useCan } from '../../server/permissions.ts';
import { Status } from '../control/Status.tsx';
import { MemberActions, type Member } from './MemberActions.tsx';
import { MemberDocuments } from './MemberDocuments.tsx';
import { MemberNotes } from './MemberNotes.tsx';
import {
  LinkedAccounts,
  MemberLimits,
  MemberRounds,
  MemberSessions,
  MemberTransfers,
  MemberWallets,
} from './MemberRecords.tsx';

/** One member with the profile, the actions and a tab for each kind of record. */
export function MemberScreen() {
  const { id } = useParams<{ id: string }>();
  const path = `/ops/v1/members/${encodeURIComponent(id)}`;
  const member = useObject<Member>(path);
  return (
    <Detail query={member}>
      {(value) => (
        <Stack key={value.id}>
          <Group>
            <Title order={2}>{value.username}</Title>
            <Status value={value.status} />
            {value.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </Group>
          <MemberActions member={value} path={path} />
          <Records member={value} path={path} />
        </Stack>
      )}
    </Detail>
  );
}

/** A tab of the member's records. */
type Tab = { value: string; label: string; content: ReactNode };

function Records({ member, path }: { member: Member; path: string }) {
  const { t } = useLingui();
  const canReport = useCan('report.read');
  const canReview = useCan('kyc.review');
  const tabs: Tab[] = [
    { value: 'profile', label: t`Profile`, content: <Profile member={member} /> },
    { value: 'wallets', label: t`Wallets`, content: <MemberWallets path={path} /> },
    ...(canReport
      ? [
          { value: 'transfers', label: t`Transfers`, content: <MemberTransfers id={member.id} /> },
          { value: 'rounds', label: t`Rounds`, content: <MemberRounds id={member.id} /> },
        ]
      : []),
    { value: 'sessions', label: t`Sessions`, content: <MemberSessions path={path} /> },
    { value: 'limits', label: t`Limits`, content: <MemberLimits path={path} /> },
    { value: 'notes', label: t`Notes`, content: <MemberNotes path={path} /> },
    ...(canReview
      ? [{ value: 'documents', label: t`Documents`, content: <MemberDocuments id={member.id} /> }]
      : []),
    { value: 'shared', label: t`Shared`, content: <LinkedAccounts path={path} /> },
  ];
  return (
    <Tabs defaultValue="profile" keepMounted={false}>
      <Tabs.List>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Profile({ member }: { member: Member }) {
  const { t } = useLingui();
  return (
    <Fields
      rows={[
        { label: t`Id`, value: member.id },
        { label: t`Nickname`, value: member.nickname },
        { label: t`Real name`, value: member.realName },
        { label: t`Number`, value: member.mobile },
        { label: t`E-mail`, value: member.email },
        { label: t`Currency`, value: member.currency },
        { label: t`Language`, value: member.language },
        { label: t`Registered`, value: formatTime(member.createdAt) },
        { label: t`Age confirmed`, value: formatTime(member.ageConfirmedAt) },
        { label: t`Must change the password`, value: member.mustChangePassword ? t`Yes` : t`No` },
        ...(member.holdReason ? [{ label: t`Held because of`, value: member.holdReason }] : []),
      ]}
    />
  );
}
