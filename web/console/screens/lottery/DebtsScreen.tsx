import { msg } from '@lingui/core/macro';
import { useLocation } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { lotteryPath } from './draws.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';

type Debt = {
  id: string;
  drawId: string;
  memberId: string;
  member: string;
  gameName: string;
  numero: string;
  currency: string;
  amount: number;
  createdAt: number;
};

const columns: readonly Column<Debt>[] = [
  { key: 'createdAt', title: msg`Time`, render: ({ createdAt }) => formatTime(createdAt) },
  { key: 'member', title: msg`Member` },
  { key: 'gameName', title: msg`Game` },
  { key: 'numero', title: msg`Numero` },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: ({ amount, currency }) => formatMoney(amount, currency),
  },
];

/** The payouts that corrections could not take back from members. */
export function DebtsScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <LotteryTabs />
      <DataList
        name="lottery-debts"
        path={`${lotteryPath}/debts`}
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Member or numero` },
          { name: 'from', kind: 'date', label: msg`From` },
          { name: 'to', kind: 'date', label: msg`To` },
        ]}
        onOpen={({ drawId }) => navigate(`/lottery/${drawId}`)}
      />
    </>
  );
}
