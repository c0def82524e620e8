import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { DrawStatus, lotteryPath } from './draws.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';

type Exposure = {
  id: string;
  gameName: string;
  numero: string;
  drawTime: number;
  status: string;
  currency: string;
  rounds: number;
  staked: number;
  highest: number;
  limit: number;
  share: string;
};

const path = `${lotteryPath}/exposure`;

/** The poll interval of the exposure. */
const pollMs = 2_000;

const columns: readonly Column<Exposure>[] = [
  { key: 'gameName', title: msg`Game` },
  { key: 'numero', title: msg`Numero` },
  { key: 'drawTime', title: msg`Draw time`, render: ({ drawTime }) => formatTime(drawTime) },
  { key: 'status', title: msg`Status`, render: ({ status }) => <DrawStatus status={status} /> },
  { key: 'rounds', title: msg`Rounds`, align: 'end' },
  {
    key: 'staked',
    title: msg`Staked`,
    align: 'end',
    render: ({ staked, currency }) => formatMoney(staked, currency),
  },
  {
    key: 'highest',
    title: msg`Highest line`,
    align: 'end',
    render: ({ highest, currency }) => formatMoney(highest, currency),
  },
  { key: 'share', title: msg`Share of the limit`, render: (row) => <Share exposure={row} /> },
];

function Share({ exposure: { share, limit, currency } }: { exposure: Exposure }) {
  const { t } = useLingui();
  const percent = Number(share) * 100;
  return (
    <Stack gap={4} miw={120}>
      <Progress
        value={percent}
        color={percent >= 90 ? 'red' : percent >= 60 ? 'yellow' : 'green'}
        aria-label={t`Share of the limit`}
      />
      <Text size="sm">
        {percent.toFixed(2)} % / {formatMoney(limit, currency)}
      </Text>
    </Stack>
  );
}

/** The highest possible payouts of the draws without a result, updated live. */
export function ExposureScreen() {
  const [, navigate] = useLocation();
  usePolling();
  return (
    <>
      <LotteryTabs />
      <DataList
        name="lottery-exposure"
        path={path}
        columns={columns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Numero` },
          { name: 'gameId', kind: 'text', label: msg`Id of the game` },
        ]}
        sorts={[
          { value: 'drawTime', label: msg`Next draw first` },
          { value: 'highest', label: msg`Highest line first` },
        ]}
        onOpen={({ id }) => navigate(`/lottery/${id}`)}
      />
    </>
  );
}

/** Reloads the list while the page is visible. There are too many bets to send an event for each. */
function usePolling(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void queryClient.invalidateQueries({ queryKey: ['list', path] });
    }, pollMs);
    return () => clearInterval(timer);
  }, [queryClient]);
}
