// Draws of the lottery as the operator's API returns them.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '@mantine/core';

/** All screens of the lottery need this permission. */
export const lotteryPermission = 'lottery.result';

export const lotteryPath = '/ops/v1/lottery';

export type Prizes = Readonly<Record<string, readonly string[]>>;

export type DrawRow = {
  id: string;
  gameId: string;
  gameCode: string;
  gameName: string;
  numero: string;
  type: string;
  openTime: number;
  closeTime: number;
  drawTime: number;
  status: string;
  winNo: string;
  pending: boolean;
  simulated: boolean;
  version: number;
};

export type PrizeForm = { code: string; count: number; digits: number };

export type Draw = DrawRow & {
  prizes?: Prizes;
  form: readonly PrizeForm[];
  totals: readonly { currency: string; rounds: number; staked: number; paid: number }[];
  exposure: readonly { playCode: string; line: string; amount: number }[];
  limit: number;
  currency: string;
  /** The draw should have taken place. */
  due: boolean;
};

const statuses: Record<string, { label: MessageDescriptor; color: string }> = {
  open: { label: msg`Open`, color: 'green' },
  closed: { label: msg`Closed`, color: 'yellow' },
  waiting: { label: msg`Waits for a result`, color: 'orange' },
  drawn: { label: msg`Drawn, not settled`, color: 'blue' },
  settled: { label: msg`Settled`, color: 'gray' },
  void: { label: msg`Void`, color: 'red' },
};

export const drawStateFilter = {
  name: 'state',
  kind: 'choice' as const,
  label: msg`Status`,
  options: Object.entries(statuses).map(([value, { label }]) => ({ value, label })),
};

/** Returns a function that returns the label of a status as text. */
function useDrawStatus(): (status: string) => string {
  const { i18n } = useLingui();
  return (status) => {
    const known = statuses[status];
    return known ? i18n._(known.label) : status;
  };
}

export function DrawStatus({ status }: { status: string }) {
  const nameOf = useDrawStatus();
  return <Badge color={statuses[status]?.color ?? 'gray'}>{nameOf(status)}</Badge>;
}
