import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Badge,
  Group,
  Paper,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatDay, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { KycDocuments } from './KycDocuments.tsx';

type KycRow = {
  id: string;
  memberId: string;
  member: string;
  status: string;
  reason?: string;
  shared: number;
  createdAt: number;
  decidedAt: number | null;
  decidedBy?: string;
  version: number;
};

type Account = { memberId: string; member: string; status: string };

export type Kyc = KycRow & {
  name: string;
  birthDate: string;
  documentNumber: string;
  images: number;
  profile: {
    nickname: string;
    payeeName: string;
    idNumber: string;
    mobile: string;
    email: string;
    createdAt: number;
    status: string;
  };
  signals: readonly { kind: string; accounts: readonly Account[] }[];
  earlier: readonly {
    id: string;
    status: string;
    reason?: string;
    decidedBy?: string;
    createdAt: number;
  }[];
};

const states: Record<string, { label: MessageDescriptor; color: string }> = {
  WAITING: { label: msg`Waiting`, color: 'yellow' },
  VERIFIED: { label: msg`Verified`, color: 'green' },
  REFUSED: { label: msg`Refused`, color: 'red' },
};

function State({ value }: { value: string }) {
  const { i18n } = useLingui();
  const known = states[value];
  return <Badge color={known?.color ?? 'gray'}>{known ? i18n._(known.label) : value}</Badge>;
}

const columns: readonly Column<KycRow>[] = [
  { key: 'createdAt', title: msg`Sent`, render: ({ createdAt }) => formatTime(createdAt) },
  { key: 'member', title: msg`Member` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <State value={status} /> },
  {
    key: 'shared',
    title: msg`Same document`,
    render: ({ shared }) => (shared > 0 ? <Badge color="red">{shared}</Badge> : '–'),
  },
  { key: 'decidedBy', title: msg`Decided by` },
  { key: 'decidedAt', title: msg`Decided`, render: ({ decidedAt }) => formatTime(decidedAt) },
  { key: 'reason', title: msg`Reason`, isHidden: true },
];

const filters = [
  {
    name: 'state',
    kind: 'choice' as const,
    label: msg`Status`,
    options: Object.entries(states).map(([value, { label }]) => ({ value, label })),
  },
];

/** The identity checks that members requested. */
export function KycListScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList
      name="kyc"
      path="/ops/v1/kyc"
      columns={columns}
      filters={filters}
      onOpen={({ id }) => navigate(`/kyc/${id}`)}
    />
  );
}

/** One identity check, with the submitted data next to the profile. */
export function KycScreen() {
  const { id } = useParams<{ id: string }>();
  const query = useObject<Kyc>(`/ops/v1/kyc/${id}`);
  return <Detail query={query}>{(kyc) => <KycView kyc={kyc} />}</Detail>;
}

function KycView({ kyc }: { kyc: Kyc }) {
  const { t } = useLingui();
  const { id, member, version, profile } = kyc;
  const path = `/ops/v1/kyc/${id}`;
  const shared = { permission: 'kyc.review', body: { version } } as const;
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={2}>{member}</Title>
          <State value={kyc.status} />
        </Group>
        {kyc.status === 'WAITING' && (
          <Group>
            <ActionButton
              {...shared}
              label={t`Refuse`}
              color="red"
              path={`${path}/refuse`}
              reason="required"
              change={t`The member reads the reason and may send other documents. The balance stays as it is.`}
            />
            <ActionButton
              {...shared}
              label={t`Approve`}
              variant="filled"
              path={`${path}/approve`}
              change={[
                { label: t`Status`, before: t`Waiting`, after: t`Verified` },
                { label: t`Verified name`, before: '–', after: kyc.name },
                { label: t`Date of birth`, before: '–', after: formatDay(kyc.birthDate) },
              ]}
            />
          </Group>
        )}
      </Group>
      <Signals kyc={kyc} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="md">
          <Title order={3} size="h4" mb="sm">{t`Sent by the member`}</Title>
          <Fields
            rows={[
              { label: t`Full name`, value: kyc.name },
              { label: t`Date of birth`, value: formatDay(kyc.birthDate) },
              { label: t`Document number`, value: kyc.documentNumber },
              { label: t`Sent`, value: formatTime(kyc.createdAt) },
              { label: t`Decided`, value: formatTime(kyc.decidedAt) },
              { label: t`Decided by`, value: kyc.decidedBy },
              { label: t`Reason`, value: kyc.reason },
            ]}
          />
        </Paper>
        <Paper withBorder p="md">
          <Title order={3} size="h4" mb="sm">{t`Profile`}</Title>
          <Fields
            rows={[
              {
                label: t`Member`,
                value: (
                  <Anchor component={Link} href={`/members/${kyc.memberId}`}>
                    {member}
                  </Anchor>
                ),
              },
              { label: t`Real name`, value: profile.payeeName },
              { label: t`Identity number`, value: profile.idNumber },
              { label: t`Nickname`, value: profile.nickname },
              { label: t`Mobile number`, value: profile.mobile },
              { label: t`E-mail`, value: profile.email },
              { label: t`Registered`, value: formatTime(profile.createdAt) },
            ]}
          />
        </Paper>
      </SimpleGrid>
      <KycDocuments key={id} path={path} count={kyc.images} />
      <EarlierChecks kyc={kyc} />
    </Stack>
  );
}

function Signals({ kyc }: { kyc: Kyc }) {
  const { t } = useLingui();
  const texts: Record<string, string> = {
    document_shared: t`Other accounts sent the same document number:`,
    name_differs: t`The name differs from the profile.`,
    number_differs: t`The document number differs from the identity number in the profile.`,
  };
  return kyc.signals.map(({ kind, accounts }) => (
    <Alert key={kind} color="red" role="note">
      <Group gap="xs">
        <Text size="sm">{texts[kind] ?? kind}</Text>
        {accounts.map((account) => (
          <Group key={account.memberId} gap={4}>
            <Anchor component={Link} href={`/members/${account.memberId}`} size="sm">
              {account.member}
            </Anchor>
            <State value={account.status} />
          </Group>
        ))}
      </Group>
    </Alert>
  ));
}

function EarlierChecks({ kyc: { earlier } }: { kyc: Kyc }) {
  const { t } = useLingui();
  if (earlier.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h4" mb="sm">{t`Other checks of this member`}</Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Sent`}</Table.Th>
            <Table.Th>{t`Status`}</Table.Th>
            <Table.Th>{t`Decided by`}</Table.Th>
            <Table.Th>{t`Reason`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {earlier.map((check) => (
            <Table.Tr key={check.id}>
              <Table.Td>
                <Anchor component={Link} href={`/kyc/${check.id}`} size="sm">
                  {formatTime(check.createdAt)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <State value={check.status} />
              </Table.Td>
              <Table.Td>{check.decidedBy}</Table.Td>
              <Table.Td>{check.reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
