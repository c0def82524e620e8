import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Alert, Group, Paper, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { sessionQuery } from '../../server/queries.ts';
import { ResultPreview } from '../lottery/ResultPreview.tsx';
import { JsonView } from './JsonView.tsx';
import { Status } from './Status.tsx';

type Approval = {
  id: string;
  state: string;
  permission: string;
  action: string;
  object: string;
  payload: unknown;
  digest: string;
  requestedBy: string;
  requestedAt: number;
  decidedBy?: string;
  decidedAt?: number;
  reason?: string;
};

const columns: readonly Column<Approval>[] = [
  { key: 'requestedAt', title: msg`Time`, render: ({ requestedAt }) => formatTime(requestedAt) },
  { key: 'action', title: msg`Action` },
  { key: 'object', title: msg`Object` },
  { key: 'requestedBy', title: msg`Requested by` },
  { key: 'state', title: msg`Status`, render: ({ state }) => <Status value={state} /> },
  { key: 'decidedBy', title: msg`Decided by` },
];

const filters = [
  {
    name: 'state',
    kind: 'choice' as const,
    label: msg`Status`,
    options: [
      { value: 'waiting', label: msg`Waiting` },
      { value: 'approved', label: msg`Approved` },
      { value: 'refused', label: msg`Refused` },
      { value: 'failed', label: msg`Failed` },
    ],
  },
  { name: 'from', kind: 'date' as const, label: msg`From` },
  { name: 'to', kind: 'date' as const, label: msg`To` },
];

/** The changes that need a second person. */
export function ApprovalsScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList
      name="approvals"
      path="/ops/v1/approvals"
      columns={columns}
      filters={filters}
      onOpen={({ id }) => navigate(`/approvals/${id}`)}
    />
  );
}

/** One change that needs a second person, with its digest. */
export function ApprovalScreen() {
  const { id } = useParams<{ id: string }>();
  const query = useObject<Approval>(`/ops/v1/approvals/${id}`);
  return <Detail query={query}>{(approval) => <ApprovalView approval={approval} />}</Detail>;
}

function ApprovalView({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const { data: operator } = useQuery({ ...sessionQuery, enabled: false });
  const isOwn = operator?.name === approval.requestedBy;
  const sharedProps = {
    permission: approval.permission,
    path: `/ops/v1/approvals/${approval.id}`,
    change: <RequestedChange approval={approval} />,
  };
  return (
    <Stack>
      <Title order={2}>{approval.action}</Title>
      {approval.state === 'waiting' && isOwn && (
        <Alert color="yellow">{t`You requested this change. Another operator must decide it.`}</Alert>
      )}
      {approval.state === 'waiting' && !isOwn && (
        <Group>
          <ActionButton
            {...sharedProps}
            label={t`Approve`}
            variant="filled"
            body={{ decision: 'approve' }}
            reason="optional"
          />
          <ActionButton
            {...sharedProps}
            label={t`Refuse`}
            color="red"
            body={{ decision: 'refuse' }}
            reason="required"
          />
        </Group>
      )}
      <Paper withBorder p="md">
        <Fields
          rows={[
            { label: t`Status`, value: <Status value={approval.state} /> },
            { label: t`Object`, value: approval.object },
            { label: t`Permission`, value: approval.permission },
            { label: t`Requested by`, value: approval.requestedBy },
            { label: t`Requested`, value: formatTime(approval.requestedAt) },
            { label: t`Decided by`, value: approval.decidedBy },
            { label: t`Decided`, value: formatTime(approval.decidedAt) },
            { label: t`Reason`, value: approval.reason },
            { label: t`Digest of the change`, value: approval.digest },
          ]}
        />
      </Paper>
      <section>
        <Title order={3} size="h5" mb="xs">{t`Requested change`}</Title>
        <JsonView value={approval.payload} />
      </section>
    </Stack>
  );
}

/** What the decision would change. A lottery result shows its payouts. */
function RequestedChange({ approval: { action, object, payload } }: { approval: Approval }) {
  if (action !== 'lottery.result' && action !== 'lottery.void') return <JsonView value={payload} />;
  const { result = '', void: isVoid = false } = payload as { result?: string; void?: boolean };
  return <ResultPreview id={object.replace('lottery/', '')} result={isVoid ? null : result} />;
}
