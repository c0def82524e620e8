import { msg } from '@lingui/core/macro';
import { useLocation } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { MoneyState, withdrawalStateFilter } from './states.tsx';

export type WithdrawalRow = {
  id: string;
  reference: string;
  status: string;
  memberId: string;
  member: string;
  amount: number;
  fee: number;
  paid: number;
  currency: string;
  bank: string;
  lastFour: string;
  createdAt: number;
  reason?: string;
  version: number;
};

const columns: readonly Column<WithdrawalRow>[] = [
  { key: 'createdAt', title: msg`Time`, render: (row) => formatTime(row.createdAt) },
  { key: 'reference', title: msg`Reference` },
  { key: 'member', title: msg`Member` },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: (row) => formatMoney(row.amount, row.currency),
  },
  { key: 'bank', title: msg`Bank`, render: (row) => `${row.bank} •• ${row.lastFour}` },
  { key: 'status', title: msg`Status`, render: (row) => <MoneyState status={row.status} /> },
];

/** All withdrawals, with filters. */
export function WithdrawalsScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList<WithdrawalRow>
      name="withdrawals"
      path="/ops/v1/withdrawals"
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Id, reference or member` },
        withdrawalStateFilter,
        { name: 'from', kind: 'date', label: msg`From` },
        { name: 'to', kind: 'date', label: msg`To` },
      ]}
      onOpen={({ id }) => navigate(`/withdrawals/${id}`)}
    />
  );
}
