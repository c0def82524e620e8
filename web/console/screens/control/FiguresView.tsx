import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Alert, Anchor, Card, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'wouter';

import { formatMoney, formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { DayChart } from './DayChart.tsx';
import { checkNames } from './HealthScreen.tsx';
import { taskKinds } from './TasksScreen.tsx';

type Figure = { name: string; today: number; yesterday: number };
type Share = { vendor: string; game?: string; rounds: number; stakes: number; result: number };
type Figures = {
  currency: string;
  summedAt: number;
  figures: readonly Figure[];
  players: number;
  playersYesterday: number;
  series: readonly {
    day: string;
    deposits: number;
    withdrawals: number;
    result: number;
    players: number;
  }[];
  vendors: readonly Share[];
  games: readonly Share[];
  tasks: readonly { kind: string; number: number }[];
  alerts: readonly { code: string; text?: string }[];
};

const figureLabels: Record<string, MessageDescriptor> = {
  deposits: msg`Deposits`,
  withdrawals: msg`Withdrawals`,
  stakes: msg`Stakes`,
  result: msg`Gross gaming revenue`,
};

/** The figures of today, yesterday and the last 30 days. */
export function FiguresView() {
  const query = useObject<Figures>('/ops/v1/figures');
  return <Detail query={query}>{(figures) => <Overview figures={figures} />}</Detail>;
}

function Overview({ figures }: { figures: Figures }) {
  const { t, i18n } = useLingui();
  const { currency, series } = figures;
  const money = (amount: number): string => formatMoney(amount, currency);
  const days = series.map(({ day }) => day);
  const openTasks = figures.tasks.reduce((sum, { number }) => sum + number, 0);
  return (
    <Stack gap="lg">
      <Alerts alerts={figures.alerts} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
        {figures.figures.map(({ name, today, yesterday }) => {
          const label = figureLabels[name];
          return (
            <Tile
              key={name}
              label={label ? i18n._(label) : name}
              value={money(today)}
              note={t`Yesterday: ${money(yesterday)}`}
            />
          );
        })}
        <Tile
          label={t`Active members`}
          value={String(figures.players)}
          note={t`Yesterday: ${figures.playersYesterday}`}
        />
        <Card withBorder>
          <Text size="sm" c="dimmed">{t`Open tasks`}</Text>
          <Anchor component={Link} href="/tasks?state=open" fz="xl" fw={700}>
            {openTasks}
          </Anchor>
          {figures.tasks.map(({ kind, number }) => {
            const label = taskKinds[kind];
            return (
              <Text key={kind} size="sm">
                {label ? i18n._(label) : kind}: {number}
              </Text>
            );
          })}
        </Card>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper withBorder p="md">
          <DayChart
            label={t`Deposits and withdrawals, 30 days`}
            days={days}
            format={money}
            series={[
              { label: t`Deposits`, tone: 'first', valueOf: (day) => series[day]?.deposits ?? 0 },
              {
                label: t`Withdrawals`,
                tone: 'second',
                valueOf: (day) => series[day]?.withdrawals ?? 0,
              },
            ]}
          />
        </Paper>
        <Paper withBorder p="md">
          <DayChart
            label={t`Gross gaming revenue, 30 days`}
            days={days}
            format={money}
            series={[
              {
                label: t`Gross gaming revenue`,
                tone: 'first',
                valueOf: (day) => series[day]?.result ?? 0,
              },
            ]}
          />
        </Paper>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Shares title={t`Vendors, 30 days`} rows={figures.vendors} money={money} />
        <Shares title={t`Games, 30 days`} rows={figures.games} money={money} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t`Days are in UTC. Summed at ${formatTime(figures.summedAt)}.`}
      </Text>
    </Stack>
  );
}

function Tile({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={700}>
        {value}
      </Text>
      <Text size="sm">{note}</Text>
    </Card>
  );
}

function Alerts({ alerts }: { alerts: Figures['alerts'] }) {
  const { t, i18n } = useLingui();
  const single = alerts.filter(({ code }) => code === 'single').map(({ text }) => text);
  const failed = alerts.filter(({ code }) => code !== 'single');
  const nameOf = (code: string): string => {
    const label = checkNames[code];
    return label ? i18n._(label) : code;
  };
  return (
    <>
      {failed.length > 0 && (
        <Alert color="red" title={t`Needs attention`}>
          {failed.map(({ code, text }) => (
            <div key={code}>{`${nameOf(code)}: ${text ?? ''}`}</div>
          ))}
          <Anchor component={Link} href="/health" inherit c="inherit" underline="always">
            {t`Open health`}
          </Anchor>
        </Alert>
      )}
      {single.length > 0 && (
        <Alert color="yellow" title={t`Changes take effect without a second person`}>
          {t`Fewer than two operators hold these permissions: ${single.join(', ')}`}
        </Alert>
      )}
    </>
  );
}

type SharesProps = { title: string; rows: readonly Share[]; money: (amount: number) => string };

function Shares({ title, rows, money }: SharesProps) {
  const { t } = useLingui();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">{t`No rounds yet`}</Text>
      ) : (
        <Table.ScrollContainer minWidth={320}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Name`}</Table.Th>
                <Table.Th ta="end">{t`Rounds`}</Table.Th>
                <Table.Th ta="end">{t`Revenue`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ vendor, game, rounds, result }) => (
                <Table.Tr key={`${vendor}/${game ?? ''}`}>
                  <Table.Td>{game ? `${vendor} · ${game}` : vendor}</Table.Td>
                  <Table.Td ta="end">{rounds}</Table.Td>
                  <Table.Td ta="end">{money(result)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
