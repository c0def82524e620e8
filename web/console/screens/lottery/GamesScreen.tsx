import { msg } from '@lingui/core/macro';
import { useLocation } from 'wouter';

import { DataList, type Column } from '../../list/DataList.tsx';
import { lotteryPath } from './draws.tsx';
import { gameStateFilter, GameStatus, type GameRow } from './games.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';

const columns: readonly Column<GameRow>[] = [
  { key: 'id', title: msg`Id` },
  { key: 'name', title: msg`Name` },
  { key: 'code', title: msg`Code` },
  { key: 'type', title: msg`Type` },
  { key: 'changed', title: msg`Changed odds`, align: 'end' },
  { key: 'status', title: msg`Status`, render: ({ status }) => <GameStatus status={status} /> },
];

/** The games of the lottery. */
export function GamesScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <LotteryTabs />
      <DataList
        name="lottery-games"
        path={`${lotteryPath}/games`}
        columns={columns}
        filters={[{ name: 'q', kind: 'text', label: msg`Name or code` }, gameStateFilter]}
        onOpen={({ id }) => navigate(`/lottery/games/${id}`)}
      />
    </>
  );
}
