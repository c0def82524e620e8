import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';

import { useAction } from '../../action/useAction.ts';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { describeError } from '../../server/errors.ts';
import { sessionQuery } from '../../server/queries.ts';
import { Status } from './Status.tsx';

type Task = {
  id: string;
  kind: string;
  reference: string;
  object: string;
  state: string;
  claimedBy: string;
  createdAt: number;
  version: number;
};

/** The labels of the task kinds. An unknown kind is shown unchanged. */
export const taskKinds: Record<string, MessageDescriptor> = {
  approval: msg`Approval`,
  hold: msg`Held account`,
  same_person: msg`Account like a member on a break`,
  kyc: msg`Identity check`,
  withdrawal: msg`Withdrawal to decide`,
  'withdrawal.pay': msg`Withdrawal to pay by hand`,
  'withdrawal.mismatch': msg`Payout with another amount`,
  'withdrawal.conflict': msg`Payout that the gateway contradicts`,
  'withdrawal.disabled': msg`Payout at a disabled gateway`,
  'withdrawal.unanswered': msg`Payout that the gateway does not answer`,
  'deposit.claimed': msg`Deposit with a proof`,
  'deposit.late': msg`Deposit paid after its end`,
  'deposit.mismatch': msg`Deposit with another amount`,
  'deposit.conflict': msg`Deposit that the gateway contradicts`,
  promotion: msg`Application for a promotion`,
  'lottery.result': msg`Lottery result to enter`,
  feedback: msg`Feedback to answer`,
};

function KindText({ kind }: { kind: string }) {
  const { i18n } = useLingui();
  const label = taskKinds[kind];
  return <>{label ? i18n._(label) : kind}</>;
}

const columns: readonly Column<Task>[] = [
  { key: 'createdAt', title: msg`Time`, render: ({ createdAt }) => formatTime(createdAt) },
  { key: 'kind', title: msg`Kind`, render: ({ kind }) => <KindText kind={kind} /> },
  {
    key: 'object',
    title: msg`Object`,
    render: ({ object }) => <Link href={`/${object}`}>{object}</Link>,
  },
  { key: 'state', title: msg`Status`, render: ({ state }) => <Status value={state} /> },
  { key: 'claimedBy', title: msg`Claimed by` },
  { key: 'version', title: msg`Actions`, render: (task) => <TaskActions task={task} /> },
];

const filters = [
  {
    name: 'state',
    kind: 'choice' as const,
    label: msg`Status`,
    options: [
      { value: 'open', label: msg`Open` },
      { value: 'claimed', label: msg`Claimed` },
      { value: 'done', label: msg`Done` },
    ],
  },
  {
    name: 'kind',
    kind: 'choice' as const,
    label: msg`Kind`,
    options: Object.entries(taskKinds).map(([value, label]) => ({ value, label })),
  },
];

/** All tasks of all kinds. */
export function TasksScreen() {
  return <DataList name="tasks" path="/ops/v1/tasks" columns={columns} filters={filters} />;
}

function TaskActions({ task }: { task: Task }) {
  const { t } = useLingui();
  const { data: operator } = useQuery({ ...sessionQuery, enabled: false });
  const path = `/ops/v1/tasks/${task.id}`;
  if (task.state === 'done') return null;
  const isOwn = task.claimedBy === operator?.name;
  return (
    <Group gap="xs" wrap="nowrap">
      {task.state === 'open' ? (
        <TaskButton label={t`Claim`} path={`${path}/claim`} version={task.version} />
      ) : (
        <TaskButton label={t`Give back`} path={`${path}/release`} version={task.version} />
      )}
      {isOwn && <TaskButton label={t`Done`} path={`${path}/done`} version={task.version} />}
    </Group>
  );
}

type TaskButtonProps = { label: string; path: string; version: number };

function TaskButton({ label, path, version }: TaskButtonProps) {
  const { run, error, isBusy } = useAction({ path });
  useEffect(() => {
    if (error) notifications.show({ color: 'red', message: describeError(error) });
  }, [error]);
  return (
    <Button variant="default" size="xs" loading={isBusy} onClick={() => void run({ version })}>
      {label}
    </Button>
  );
}
