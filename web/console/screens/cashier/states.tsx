import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Badge } from '@mantine/core';

/** Names and colours of the statuses of deposits and withdrawals. */
const statuses: Record<string, { label: MessageDescriptor; color: string }> = {
  WAITING: { label: msg`Waits for the money`, color: 'yellow' },
  CLAIMED: { label: msg`Paid, says the member`, color: 'blue' },
  CREDITED: { label: msg`Credited`, color: 'green' },
  EXPIRED: { label: msg`Expired`, color: 'gray' },
  CANCELLED: { label: msg`Cancelled`, color: 'gray' },
  REQUESTED: { label: msg`Requested`, color: 'yellow' },
  REVIEW: { label: msg`In review`, color: 'blue' },
  APPROVED: { label: msg`Approved`, color: 'blue' },
  SENT: { label: msg`Sent`, color: 'blue' },
  PAID: { label: msg`Paid`, color: 'green' },
  REFUSED: { label: msg`Refused`, color: 'red' },
  FAILED: { label: msg`Failed`, color: 'red' },
};

const depositStates = ['WAITING', 'CLAIMED', 'CREDITED', 'REFUSED', 'EXPIRED', 'CANCELLED'];
const withdrawalStates = ['REQUESTED', 'REVIEW', 'APPROVED', 'SENT', 'PAID', 'REFUSED', 'FAILED'];

const stateFilter = (states: readonly string[]) => ({
  name: 'state',
  kind: 'choice' as const,
  label: msg`Status`,
  options: states.map((value) => ({ value, label: statuses[value]?.label ?? msg`Status` })),
});

export const depositStateFilter = stateFilter(depositStates);
export const withdrawalStateFilter = stateFilter(withdrawalStates);

/** Why an operator must look at a deposit. */
const queues: Record<string, MessageDescriptor> = {
  late: msg`Paid after its end`,
  mismatch: msg`Paid with another amount`,
  conflict: msg`The gateway contradicts itself`,
  claimed: msg`The member uploaded a proof`,
};

export const queueFilter = {
  name: 'queue',
  kind: 'choice' as const,
  label: msg`Look at it`,
  options: [
    { value: 'any', label: msg`All that wait` },
    ...Object.entries(queues).map(([value, label]) => ({ value, label })),
  ],
};

/** Returns a function that returns the label of a status as text. */
export function useStateName(): (status: string) => string {
  const { i18n } = useLingui();
  return (status) => {
    const known = statuses[status];
    return known ? i18n._(known.label) : status;
  };
}

export function MoneyState({ status }: { status: string }) {
  const nameOf = useStateName();
  return <Badge color={statuses[status]?.color ?? 'gray'}>{nameOf(status)}</Badge>;
}

export function QueueText({ queue }: { queue: string }) {
  const { i18n } = useLingui();
  const known = queues[queue];
  return <>{known ? i18n._(known) : queue}</>;
}
