import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Anchor, Group, Stack, Table, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { typedAmount } from '../../amount.ts';
import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { Label } from '../../object/Label.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from '../control/Status.tsx';
import { transferLabels } from './labels.ts';

export type TransferRow = {
  id: string;
  kind: string;
  status: string;
  amount: number;
  currency: string;
  from: string;
  fromMember?: string;
  to: string;
  toMember?: string;
  memberId?: string;
  reference: string;
  note: string;
  createdAt: number;
};

const accountLabel = (account: string, member?: string): string =>
  member ? `${member} (${account})` : account;

const columns: readonly Column<TransferRow>[] = [
  { key: 'createdAt', title: msg`Time`, render: (row) => formatTime(row.createdAt) },
  { key: 'id', title: msg`Id` },
  {
    key: 'kind',
    title: msg`Kind`,
    render: ({ kind }) => <Label labels={transferLabels} value={kind} />,
  },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: (row) => formatMoney(row.amount, row.currency),
  },
  { key: 'from', title: msg`From`, render: (row) => accountLabel(row.from, row.fromMember) },
  { key: 'to', title: msg`To`, render: (row) => accountLabel(row.to, row.toMember) },
  { key: 'reference', title: msg`Reference` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
];

/** Searches the ledger, and corrects balances. */
export function TransfersScreen() {
  const [, navigate] = useLocation();
  return (
    <Stack>
      <AdjustBalance />
      <DataList<TransferRow>
        name="transfers"
        path="/ops/v1/transfers"
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Id or reference` },
          { name: 'member', kind: 'text', label: msg`Id of a member` },
          {
            name: 'kind',
            kind: 'choice',
            label: msg`Kind`,
            options: Object.entries(transferLabels).map(([value, label]) => ({ value, label })),
          },
          { name: 'from', kind: 'date', label: msg`From` },
          { name: 'to', kind: 'date', label: msg`To` },
        ]}
        onOpen={({ id }) => navigate(`/transfers/${id}`)}
      />
    </Stack>
  );
}

function AdjustBalance() {
  const { t } = useLingui();
  const [key, setKey] = useState('');
  const [memberId, setMemberId] = useState('');
  const [amount, setAmount] = useState('');
  return (
    <Group>
      <ActionButton
        label={t`Correct a balance`}
        permission="ledger.adjust"
        path="/ops/v1/transfers"
        reason="required"
        body={{ memberId: memberId.trim(), amount: typedAmount(amount), key }}
        change={[
          {
            label: t`Balance of member ${memberId}`,
            before: '',
            after: String(typedAmount(amount)),
          },
        ]}
        onOpen={() => setKey(crypto.randomUUID())}
        fields={
          <>
            <TextInput
              label={t`Id of a member`}
              value={memberId}
              onChange={(event) => setMemberId(event.currentTarget.value)}
            />
            <TextInput
              label={t`Amount`}
              description={t`Negative amounts are debited.`}
              inputMode="decimal"
              value={amount}
              onChange={(event) => setAmount(event.currentTarget.value)}
            />
          </>
        }
      />
    </Group>
  );
}

type Transfer = TransferRow & {
  key: string;
  refusal?: string;
  origin?: string;
  entries: readonly { account: string; member?: string; amount: number; after?: number }[];
};

/** One transfer with its entries. */
export function TransferScreen() {
  const { t } = useLingui();
  const { id } = useParams<{ id: string }>();
  const transfer = useObject<Transfer>(`/ops/v1/transfers/${encodeURIComponent(id)}`);
  return (
    <Detail query={transfer}>
      {(value) => (
        <Stack>
          <Fields
            rows={[
              { label: t`Id`, value: value.id },
              { label: t`Time`, value: formatTime(value.createdAt) },
              { label: t`Kind`, value: <Label labels={transferLabels} value={value.kind} /> },
              { label: t`Status`, value: value.refusal ?? <Status value={value.status} /> },
              { label: t`Amount`, value: formatMoney(value.amount, value.currency) },
              { label: t`Reference`, value: value.reference },
              { label: t`Key`, value: value.key },
              { label: t`Note`, value: value.note },
              {
                label: t`Settles or reverses`,
                value: value.origin && (
                  <Anchor component={Link} href={`/transfers/${value.origin}`}>
                    {value.origin}
                  </Anchor>
                ),
              },
            ]}
          />
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Account`}</Table.Th>
                <Table.Th>{t`Amount`}</Table.Th>
                <Table.Th>{t`Balance after it`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {value.entries.map((entry) => (
                <Table.Tr key={entry.account + entry.amount}>
                  <Table.Td>{accountLabel(entry.account, entry.member)}</Table.Td>
                  <Table.Td>{formatMoney(entry.amount, value.currency)}</Table.Td>
                  <Table.Td>
                    {entry.after === undefined ? '–' : formatMoney(entry.after, value.currency)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Detail>
  );
}
