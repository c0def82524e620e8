import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Anchor, Stack, Table } from '@mantine/core';
import { Link, useLocation, useParams } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { Label } from '../../object/Label.tsx';
import { useObject } from '../../object/useObject.ts';
import { roundLabels } from './labels.ts';

export type RoundRow = {
  id: string;
  round: string;
  vendor: string;
  game: string;
  memberId: string;
  username: string;
  currency: string;
  stake: number;
  win: number;
  status: string;
  startedAt: number;
  settledAt?: number;
  proofPath?: string;
};

const columns: readonly Column<RoundRow>[] = [
  { key: 'startedAt', title: msg`Time`, render: (row) => formatTime(row.startedAt) },
  { key: 'round', title: msg`Round` },
  { key: 'vendor', title: msg`Vendor` },
  { key: 'game', title: msg`Game` },
  { key: 'username', title: msg`Member` },
  {
    key: 'stake',
    title: msg`Stake`,
    align: 'end',
    render: (row) => formatMoney(row.stake, row.currency),
  },
  {
    key: 'win',
    title: msg`Win`,
    align: 'end',
    render: (row) => formatMoney(row.win, row.currency),
  },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => <Label labels={roundLabels} value={status} />,
  },
];

export function RoundsScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList<RoundRow>
      name="rounds"
      path="/ops/v1/rounds"
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Round` },
        { name: 'member', kind: 'text', label: msg`Id of a member` },
        { name: 'vendor', kind: 'text', label: msg`Vendor` },
        {
          name: 'state',
          kind: 'choice',
          label: msg`Status`,
          options: Object.entries(roundLabels).map(([value, label]) => ({ value, label })),
        },
        { name: 'from', kind: 'date', label: msg`From` },
        { name: 'to', kind: 'date', label: msg`To` },
      ]}
      onOpen={({ id }) => navigate(`/rounds/${id}`)}
    />
  );
}

type Round = RoundRow & {
  moves: readonly { id: string; call: string; amount: number; at: number }[];
};

/** One round with its bets and results. */
export function RoundScreen() {
  const { t } = useLingui();
  const { id } = useParams<{ id: string }>();
  const round = useObject<Round>(`/ops/v1/rounds/${encodeURIComponent(id)}`);
  return (
    <Detail query={round}>
      {(value) => (
        <Stack>
          <Fields
            rows={[
              { label: t`Round`, value: value.round },
              { label: t`Vendor`, value: value.vendor },
              { label: t`Game`, value: value.game },
              {
                label: t`Member`,
                value: (
                  <Anchor component={Link} href={`/members/${value.memberId}`}>
                    {value.username}
                  </Anchor>
                ),
              },
              { label: t`Status`, value: <Label labels={roundLabels} value={value.status} /> },
              { label: t`Stake`, value: formatMoney(value.stake, value.currency) },
              { label: t`Win`, value: formatMoney(value.win, value.currency) },
              { label: t`Started`, value: formatTime(value.startedAt) },
              { label: t`Settled`, value: formatTime(value.settledAt) },
              {
                label: t`Proof`,
                value: value.proofPath && (
                  <Anchor href={value.proofPath}>{t`Open the proof`}</Anchor>
                ),
              },
            ]}
          />
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Time`}</Table.Th>
                <Table.Th>{t`Call`}</Table.Th>
                <Table.Th>{t`Amount`}</Table.Th>
                <Table.Th>{t`Transfer`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {value.moves.map((move) => (
                <Table.Tr key={move.id}>
                  <Table.Td>{formatTime(move.at)}</Table.Td>
                  <Table.Td>{move.call}</Table.Td>
                  <Table.Td>{formatMoney(move.amount, value.currency)}</Table.Td>
                  <Table.Td>
                    <Anchor component={Link} href={`/transfers/${move.id}`}>
                      {move.id}
                    </Anchor>
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
