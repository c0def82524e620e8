import { msg } from '@lingui/core/macro';
import { useLocation } from 'wouter';

import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { drawStateFilter, DrawStatus, lotteryPath, type DrawRow } from './draws.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';

const columns: readonly Column<DrawRow>[] = [
  { key: 'drawTime', title: msg`Draw time`, render: ({ drawTime }) => formatTime(drawTime) },
  { key: 'gameName', title: msg`Game` },
  { key: 'numero', title: msg`Numero` },
  { key: 'closeTime', title: msg`Closes`, render: ({ closeTime }) => formatTime(closeTime) },
  { key: 'status', title: msg`Status`, render: ({ status }) => <DrawStatus status={status} /> },
  { key: 'winNo', title: msg`Result` },
];

/** The draws that have bets or are due. */
export function ScheduleScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <LotteryTabs />
      <DataList
        name="lottery"
        path={lotteryPath}
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Numero` },
          { name: 'gameId', kind: 'text', label: msg`Id of the game` },
          drawStateFilter,
          { name: 'from', kind: 'date', label: msg`From` },
          { name: 'to', kind: 'date', label: msg`To` },
        ]}
        onOpen={({ id }) => navigate(`/lottery/${id}`)}
      />
    </>
  );
}
