import { useLingui } from '@lingui/react/macro';
import { Alert, Group, Paper, Stack, Table, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatMoney, formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { request } from '../../server/request.ts';
import { DrawStatus, lotteryPath, lotteryPermission, type Draw } from './draws.tsx';
import { LotteryTabs } from './LotteryTabs.tsx';
import { PrizeTable } from './PrizeTable.tsx';
import { ResultForm } from './ResultForm.tsx';
import { ResultPreview } from './ResultPreview.tsx';

/** The poll interval of a draw that is not settled yet. */
const pollMs = 2_000;

/** One draw with its result, its stakes and its exposure. */
export function DrawScreen() {
  const { id = '' } = useParams();
  const path = `${lotteryPath}/${id}`;
  const draw = useQuery({
    queryKey: ['object', path],
    queryFn: () => request<Draw>('GET', path),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data && (data.pending || data.status === 'open' || data.status === 'closed') ? pollMs : false,
  });
  return (
    <>
      <LotteryTabs />
      <Detail query={draw}>{(value) => <DrawView draw={value} />}</Detail>
    </>
  );
}

function DrawView({ draw }: { draw: Draw }) {
  const { t } = useLingui();
  const isClosed = draw.status !== 'open';
  const isVoid = draw.status === 'void';
  // Our own draws cannot be voided after their results are known.
  const canVoid = draw.form.length > 0 ? isClosed && !isVoid : draw.status === 'closed';
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={1} size="h3">
            {draw.gameName} {draw.numero}
          </Title>
          <DrawStatus status={draw.status} />
        </Group>
        {canVoid && (
          <ActionButton
            label={t`Void the draw`}
            color="red"
            permission={lotteryPermission}
            path={`${lotteryPath}/${draw.id}/void`}
            body={{ version: draw.version }}
            reason="required"
            isDisabled={draw.pending}
            change={<ResultPreview id={draw.id} result={null} />}
          />
        )}
      </Group>
      {draw.pending && <Alert color="blue">{t`The settlement is running.`}</Alert>}
      {draw.simulated && (
        <Alert color="yellow">{t`The demo drew this result. It is not that of the real draw.`}</Alert>
      )}
      <Fields
        rows={[
          { label: t`Opens`, value: formatTime(draw.openTime) },
          { label: t`Closes`, value: formatTime(draw.closeTime) },
          { label: t`Draw time`, value: formatTime(draw.drawTime) },
          { label: t`Result`, value: draw.winNo },
          { label: t`Limit of a line`, value: formatMoney(draw.limit, draw.currency) },
        ]}
      />
      {draw.prizes && <PrizeTable prizes={draw.prizes} />}
      {draw.form.length > 0 && draw.due && !isVoid && (
        <ResultForm key={`${draw.id}/${draw.version}`} draw={draw} />
      )}
      <Totals draw={draw} />
      <Lines draw={draw} />
    </Stack>
  );
}

function Totals({ draw }: { draw: Draw }) {
  const { t } = useLingui();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t`Stakes and payouts`}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Currency`}</Table.Th>
            <Table.Th ta="end">{t`Rounds`}</Table.Th>
            <Table.Th ta="end">{t`Staked`}</Table.Th>
            <Table.Th ta="end">{t`Paid`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {draw.totals.map(({ currency, rounds, staked, paid }) => (
            <Table.Tr key={currency}>
              <Table.Td>{currency}</Table.Td>
              <Table.Td ta="end">{rounds}</Table.Td>
              <Table.Td ta="end">{formatMoney(staked, currency)}</Table.Td>
              <Table.Td ta="end">{formatMoney(paid, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Lines({ draw }: { draw: Draw }) {
  const { t } = useLingui();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4">
        {t`Highest lines`}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Kind of bet`}</Table.Th>
            <Table.Th>{t`Line`}</Table.Th>
            <Table.Th ta="end">{t`Most that it can be paid`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {draw.exposure.map(({ playCode, line, amount }) => (
            <Table.Tr key={`${playCode}/${line}`}>
              <Table.Td>{playCode}</Table.Td>
              <Table.Td>{line}</Table.Td>
              <Table.Td ta="end">{formatMoney(amount, draw.currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
