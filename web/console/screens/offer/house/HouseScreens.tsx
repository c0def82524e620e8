import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Group, Stack, Table, Title } from '@mantine/core';
import { useLocation, useParams } from 'wouter';

import { ActionButton, type Change } from '../../../action/ActionButton.tsx';
import { formatMoney, formatTime } from '../../../format.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { Fields } from '../../../object/Fields.tsx';
import { Label, type Labels } from '../../../object/Label.tsx';
import { useObject } from '../../../object/useObject.ts';
import { HouseTabs } from './HouseTabs.tsx';

const permission = 'house.repair';

type HouseTable = {
  id: string;
  name: string;
  engine: string;
  number: number;
  status: string;
  led: boolean;
  players: number;
  tickets: number;
  games: readonly string[];
  endsAt: number;
};

type Pool = {
  id: string;
  currency: string;
  amount: number;
  series: number;
  draws: number;
  status: string;
  beginsAt: number;
  wins?: readonly {
    series: number;
    account: string;
    amount: number;
    stake: number;
    wonAt: number;
  }[];
};

export type StuckRound = {
  id: string;
  vendor: string;
  game: string;
  player: string;
  currency: string;
  stake: number;
  win: number;
  owed: 'win' | 'stake' | 'result';
  code: string;
  at: number;
  engine?: string;
  actions: readonly ('retry' | 'refund' | 'pay')[];
  version: number;
};

const search = { name: 'q', kind: 'text', label: msg`Search` } as const;

const tableLabels: Labels = {
  idle: msg`Waiting for players`,
  betting: msg`Taking bets`,
  locked: msg`Bets closed`,
  dealing: msg`Dealing`,
  result: msg`Result`,
  ended: msg`Ended`,
};

const tableColumns: readonly Column<HouseTable>[] = [
  { key: 'name', title: msg`Table` },
  { key: 'engine', title: msg`Engine` },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => <Label labels={tableLabels} value={status} />,
  },
  { key: 'number', title: msg`Round`, align: 'end' },
  { key: 'players', title: msg`Players`, align: 'end' },
  { key: 'tickets', title: msg`Tickets`, align: 'end' },
];

export function TablesScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <HouseTabs />
      <DataList
        name="tables"
        path="/ops/v1/tables"
        columns={tableColumns}
        filters={[search]}
        onOpen={({ id }) => navigate(`/tables/${id}`)}
      />
    </>
  );
}

export function TableScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const table = useObject<HouseTable>(`/ops/v1/tables/${id}`);
  return (
    <Detail query={table}>
      {(value) => (
        <Stack>
          <Title order={1} size="h3">
            {value.name}
          </Title>
          <Fields
            rows={[
              { label: t`Engine`, value: value.engine },
              { label: t`Status`, value: <Label labels={tableLabels} value={value.status} /> },
              { label: t`A server leads the table`, value: value.led ? t`Yes` : t`No` },
              { label: t`Round`, value: value.number },
              { label: t`End of the round`, value: formatTime(value.endsAt) },
              { label: t`Players in the round`, value: value.players },
              { label: t`Tickets in the round`, value: value.tickets },
              { label: t`Games`, value: value.games.join(', ') },
            ]}
          />
        </Stack>
      )}
    </Detail>
  );
}

const poolLabels: Labels = { open: msg`Open`, paused: msg`Paused` };

const poolColumns: readonly Column<Pool>[] = [
  { key: 'currency', title: msg`Currency` },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: ({ amount, currency }) => formatMoney(amount, currency),
  },
  { key: 'series', title: msg`Series`, align: 'end' },
  { key: 'draws', title: msg`Draws`, align: 'end' },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => <Label labels={poolLabels} value={status} />,
  },
];

export function JackpotsScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <HouseTabs />
      <DataList
        name="jackpots"
        path="/ops/v1/jackpots"
        columns={poolColumns}
        onOpen={({ id }) => navigate(`/jackpots/${id}`)}
      />
    </>
  );
}

export function JackpotScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const pool = useObject<Pool>(`/ops/v1/jackpots/${id}`);
  return (
    <Detail query={pool}>
      {(value) => (
        <Stack>
          <Title order={1} size="h3">
            {formatMoney(value.amount, value.currency)}
          </Title>
          <Fields
            rows={[
              { label: t`Series`, value: value.series },
              { label: t`Draws`, value: value.draws },
              { label: t`Status`, value: <Label labels={poolLabels} value={value.status} /> },
              { label: t`End of the pause`, value: formatTime(value.beginsAt) },
            ]}
          />
          <Title order={2} size="h4">
            {t`Latest wins`}
          </Title>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Series`}</Table.Th>
                <Table.Th>{t`Member`}</Table.Th>
                <Table.Th>{t`Amount`}</Table.Th>
                <Table.Th>{t`Stake`}</Table.Th>
                <Table.Th>{t`Time`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {(value.wins ?? []).map((win) => (
                <Table.Tr key={win.series}>
                  <Table.Td>{win.series}</Table.Td>
                  <Table.Td>{win.account}</Table.Td>
                  <Table.Td>{formatMoney(win.amount, value.currency)}</Table.Td>
                  <Table.Td>{formatMoney(win.stake, value.currency)}</Table.Td>
                  <Table.Td>{formatTime(win.wonAt)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </Detail>
  );
}

const roundColumns: readonly Column<StuckRound>[] = [
  { key: 'id', title: msg`Round` },
  { key: 'game', title: msg`Game` },
  { key: 'player', title: msg`Player` },
  {
    key: 'stake',
    title: msg`Stake`,
    align: 'end',
    render: ({ stake, currency }) => formatMoney(stake, currency),
  },
  {
    key: 'win',
    title: msg`Win`,
    align: 'end',
    render: ({ win, currency }) => formatMoney(win, currency),
  },
  { key: 'owed', title: msg`Owed` },
  { key: 'code', title: msg`Code of the wallet` },
  { key: 'at', title: msg`Time`, render: ({ at }) => formatTime(at) },
];

export function RoundsScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <HouseTabs />
      <DataList
        name="rounds"
        path="/ops/v1/stuck"
        columns={roundColumns}
        filters={[search]}
        onOpen={({ id }) => navigate(`/stuck/${id}`)}
      />
    </>
  );
}

export function RoundScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const round = useObject<StuckRound>(`/ops/v1/stuck/${id}`);
  return (
    <Detail query={round}>
      {(value) => (
        <Stack>
          <Group justify="space-between">
            <Title order={1} size="h3">
              {t`Stuck round ${value.id}`}
            </Title>
            <Repairs round={value} onDone={() => navigate('/stuck')} />
          </Group>
          <Fields
            rows={[
              { label: t`Vendor`, value: value.vendor },
              { label: t`Game`, value: value.game },
              { label: t`Player`, value: value.player },
              { label: t`Stake`, value: formatMoney(value.stake, value.currency) },
              { label: t`Win`, value: formatMoney(value.win, value.currency) },
              { label: t`Owed`, value: value.owed },
              { label: t`Code of the wallet`, value: value.code },
              { label: t`Engine`, value: value.engine },
              { label: t`Time`, value: formatTime(value.at) },
            ]}
          />
        </Stack>
      )}
    </Detail>
  );
}

/** The buttons of the possible repairs. Their dialogs show what is paid. */
function Repairs({ round, onDone }: { round: StuckRound; onDone: () => void }) {
  const { t } = useLingui();
  const { currency, stake, win, owed } = round;
  const labels = { retry: t`Retry`, refund: t`Refund the stake`, pay: t`Pay what is owed` };
  const due = owed === 'win' ? win : stake;
  const change: Change[] = [
    { label: t`Round`, before: t`Stuck`, after: owed === 'win' ? t`Settled` : t`Refunded` },
    {
      label: t`Member receives`,
      before: formatMoney(0, currency),
      after: formatMoney(due, currency),
    },
  ];
  return (
    <Group>
      {round.actions.map((action) => (
        <ActionButton
          key={action}
          label={labels[action]}
          permission={permission}
          path={`/ops/v1/stuck/${round.id}/${action}`}
          body={{ version: round.version }}
          reason="optional"
          change={change}
          onDone={onDone}
        />
      ))}
    </Group>
  );
}
