import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';

import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { describeError } from '../../server/errors.ts';
import { request } from '../../server/request.ts';
import { JsonView } from './JsonView.tsx';
import { Status } from './Status.tsx';

type AuditRow = {
  id: string;
  at: number;
  operator: string;
  permission: string;
  action: string;
  object: string;
  mode: string;
  before: unknown;
  after: unknown;
  address: string;
  requestId: string;
  digest: string;
};

const columns: readonly Column<AuditRow>[] = [
  { key: 'id', title: msg`Row` },
  { key: 'at', title: msg`Time`, render: ({ at }) => formatTime(at) },
  { key: 'operator', title: msg`Operator` },
  { key: 'action', title: msg`Action` },
  { key: 'object', title: msg`Object` },
  { key: 'mode', title: msg`Decision`, render: ({ mode }) => <Status value={mode} /> },
  { key: 'permission', title: msg`Permission`, isHidden: true },
  { key: 'address', title: msg`Address`, isHidden: true },
];

const filters = [
  { name: 'operator', kind: 'text' as const, label: msg`Operator` },
  { name: 'action', kind: 'text' as const, label: msg`Action` },
  { name: 'object', kind: 'text' as const, label: msg`Object` },
  {
    name: 'state',
    kind: 'choice' as const,
    label: msg`Decision`,
    options: [
      { value: 'single', label: msg`One person` },
      { value: 'proposed', label: msg`Proposed` },
      { value: 'approved', label: msg`Approved` },
      { value: 'refused', label: msg`Refused` },
      { value: 'failed', label: msg`Failed` },
    ],
  },
  { name: 'from', kind: 'date' as const, label: msg`From` },
  { name: 'to', kind: 'date' as const, label: msg`To` },
];

/** The log of all changes by operators. */
export function AuditScreen() {
  const [, navigate] = useLocation();
  return (
    <Stack>
      <ChainCheck />
      <DataList
        name="audit"
        path="/ops/v1/audit"
        columns={columns}
        filters={filters}
        onOpen={({ id }) => navigate(`/audit/${id}`)}
      />
    </Stack>
  );
}

type Report = { rows: number; head: string; broken?: number; why?: string; partly?: boolean };

/** Checks the whole chain. One request checks for a few seconds, so a long log needs several requests. */
async function checkChain(): Promise<Report> {
  let report: Report = { rows: 0, head: '', partly: true };
  while (report.partly) {
    // oxlint-disable-next-line no-await-in-loop -- each request goes on after the one before
    report = await request<Report>('GET', '/ops/v1/audit/verify', {
      query: { after: String(report.rows) },
    });
  }
  return report;
}

function ChainCheck() {
  const { t } = useLingui();
  const check = useMutation({ mutationFn: checkChain });
  const { data, error } = check;
  return (
    <Group align="start">
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
        {t`Check the chain`}
      </Button>
      {error && (
        <Alert color="red" role="alert">
          {describeError(error)}
        </Alert>
      )}
      {data?.broken ? (
        <Alert color="red" role="alert" title={t`Row ${data.broken} is broken`}>
          {data.why}
        </Alert>
      ) : (
        data && (
          <Alert color="green" role="status" title={t`${data.rows} rows, unbroken`}>
            {t`Digest of the last row: ${data.head}`}
          </Alert>
        )
      )}
    </Group>
  );
}

/** One row of the log with the values before and after. */
export function AuditRowScreen() {
  const { t } = useLingui();
  const { id } = useParams<{ id: string }>();
  const query = useObject<AuditRow>(`/ops/v1/audit/${id}`);
  return (
    <Detail query={query}>
      {(row) => (
        <Stack>
          <Title order={2}>{row.action}</Title>
          <Paper withBorder p="md">
            <Fields
              rows={[
                { label: t`Time`, value: formatTime(row.at) },
                { label: t`Operator`, value: row.operator },
                { label: t`Object`, value: row.object },
                { label: t`Permission`, value: row.permission },
                { label: t`Decision`, value: row.mode && <Status value={row.mode} /> },
                { label: t`Address`, value: row.address },
                { label: t`Request`, value: row.requestId },
                { label: t`Digest`, value: row.digest },
              ]}
            />
          </Paper>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <section>
              <Title order={3} size="h5" mb="xs">{t`Before`}</Title>
              <JsonView value={row.before} />
            </section>
            <section>
              <Title order={3} size="h5" mb="xs">{t`After`}</Title>
              <JsonView value={row.after} />
            </section>
          </SimpleGrid>
        </Stack>
      )}
    </Detail>
  );
}
