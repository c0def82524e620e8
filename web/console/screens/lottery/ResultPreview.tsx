import { useLingui } from '@lingui/react/macro';
import { Alert, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { formatMoney } from '../../format.ts';
import { request } from '../../server/request.ts';
import { FailedState, LoadingState } from '../../states.tsx';
import { lotteryPath, type Prizes } from './draws.tsx';
import { PrizeTable } from './PrizeTable.tsx';

type Sum = {
  currency: string;
  rounds: number;
  winners: number;
  paid: number;
  due: number;
  credited: number;
  takenBack: number;
  returned: number;
};

type Preview = { winNo?: string; prizes?: Prizes; sums: readonly Sum[]; complete: boolean };

type ResultPreviewProps = {
  id: string;
  /** The result as text, or null to void the draw. */
  result: string | null;
};

/** Shows what a result, a correction or voiding the draw would change. */
export function ResultPreview({ id, result }: ResultPreviewProps) {
  const { t } = useLingui();
  const path = `${lotteryPath}/${id}/result/preview`;
  const query: Record<string, string> = result === null ? { void: 'true' } : { text: result };
  const preview = useQuery({
    queryKey: ['object', path, query],
    queryFn: () => request<Preview>('GET', path, { query }),
  });
  if (preview.error)
    return (
      <FailedState
        error={preview.error}
        busy={preview.isFetching}
        onRetry={() => void preview.refetch()}
      />
    );
  if (!preview.data) return <LoadingState />;
  const { prizes, sums, complete } = preview.data;
  return (
    <Stack>
      {prizes && <PrizeTable prizes={prizes} />}
      {!complete && (
        <Alert color="yellow">{t`This draw has very many bets. The sums count only the first 50,000.`}</Alert>
      )}
      {sums.length === 0 && <Text>{t`No bets: no money moves.`}</Text>}
      {sums.map((sum) => (
        <SumTable key={sum.currency} sum={sum} isVoid={result === null} />
      ))}
    </Stack>
  );
}

function SumTable({ sum, isVoid }: { sum: Sum; isVoid: boolean }) {
  const { t } = useLingui();
  const money = (amount: number) => formatMoney(amount, sum.currency);
  const rows: [string, string][] = [
    [t`Rounds`, String(sum.rounds)],
    ...(isVoid ? [] : [[t`Rounds that win`, String(sum.winners)] as [string, string]]),
    [t`Paid until now`, money(sum.paid)],
    [t`Paid after the change`, money(sum.due)],
    [t`Members receive`, money(sum.credited)],
    [t`Taken back from members`, money(sum.takenBack)],
    ...(isVoid ? [[t`Stakes returned`, money(sum.returned)] as [string, string]] : []),
  ];
  return (
    <Table withTableBorder>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td ta="end">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
