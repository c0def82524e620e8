import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Card, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';

import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from './Status.tsx';

type Check = { name: string; state: string; text?: string; value: number };
type Replica = {
  id: string;
  host: string;
  version: string;
  startedAt: number;
  seenAt: number;
  status: string;
};
type Health = {
  at: number;
  engine: string;
  streams: number;
  checks: readonly Check[];
  replicas: readonly Replica[];
  jobs: readonly { state: string; number: number }[];
};

/** The labels of the health checks. */
export const checkNames: Record<string, MessageDescriptor> = {
  replicas: msg`Replicas`,
  database: msg`Database`,
  schema: msg`Schema`,
  bus: msg`Event bus`,
  jobs: msg`Background jobs`,
  outbox: msg`Outbox`,
  disk: msg`Disk`,
  backup: msg`Last backup`,
};

/** The state of the installation. */
export function HealthScreen() {
  const query = useObject<Health>('/ops/v1/health');
  return <Detail query={query}>{(health) => <HealthView health={health} />}</Detail>;
}

function HealthView({ health }: { health: Health }) {
  const { t, i18n } = useLingui();
  const valueOf = ({ name, value }: Check): string => {
    if (name === 'database') return t`${(value / 1000).toFixed(1)} ms, ${health.engine}`;
    if (name === 'outbox') return t`${(value / 1000).toFixed(1)} s behind`;
    if (name === 'disk') return t`${(value / 2 ** 30).toFixed(1)} GiB free`;
    if (name === 'backup') return formatTime(value);
    if (name === 'jobs') return t`${value} failed`;
    return name === 'replicas' ? String(value) : '';
  };
  return (
    <Stack>
      <Text c="dimmed">{t`Checked at ${formatTime(health.at)}`}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {health.checks.map((check) => {
          const label = checkNames[check.name];
          return (
            <Card key={check.name} withBorder>
              <Group justify="space-between" wrap="nowrap">
                <Title order={2} size="h6">
                  {label ? i18n._(label) : check.name}
                </Title>
                <Status value={check.state} />
              </Group>
              <Text>{valueOf(check)}</Text>
              {check.text && <Text size="sm">{check.text}</Text>}
            </Card>
          );
        })}
      </SimpleGrid>
      <section>
        <Title order={2} size="h5" mb="xs">{t`Replicas`}</Title>
        <Table.ScrollContainer minWidth={480}>
          <Table withTableBorder>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t`Host`}</Table.Th>
                <Table.Th>{t`Version`}</Table.Th>
                <Table.Th>{t`Started`}</Table.Th>
                <Table.Th>{t`Seen`}</Table.Th>
                <Table.Th>{t`Status`}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {health.replicas.map((replica) => (
                <Table.Tr key={replica.id}>
                  <Table.Td>{replica.host}</Table.Td>
                  <Table.Td>{replica.version}</Table.Td>
                  <Table.Td>{formatTime(replica.startedAt)}</Table.Td>
                  <Table.Td>{formatTime(replica.seenAt)}</Table.Td>
                  <Table.Td>
                    <Status value={replica.status} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </section>
      <section>
        <Title order={2} size="h5" mb="xs">{t`Jobs that are not completed`}</Title>
        <Table withTableBorder>
          <Table.Tbody>
            {health.jobs.map((job) => (
              <Table.Tr key={job.state}>
                <Table.Th scope="row">{job.state}</Table.Th>
                <Table.Td>{job.number}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Stack>
  );
}
