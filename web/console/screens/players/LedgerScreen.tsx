import { useLingui } from '@lingui/react/macro';
import { Alert, Group, List, Stack, Table } from '@mantine/core';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';

type Check = {
  state: string;
  requestedBy: string;
  requestedAt: number;
  finishedAt?: number;
  report?: {
    Accounts: number;
    Transfers: number;
    Entries: number;
    Findings: readonly { Invariant: string; Broken: number; Samples: readonly string[] | null }[];
  };
};

/** The last checks of the ledger, and a button that starts one. */
export function LedgerScreen() {
  const { t } = useLingui();
  const ledger = useObject<{ checks: readonly Check[] }>('/ops/v1/ledger');
  return (
    <Detail query={ledger}>
      {({ checks }) => (
        <Stack>
          <Group>
            <ActionButton
              label={t`Check the ledger`}
              permission="report.read"
              path="/ops/v1/ledger/verify"
              change={t`The server reads all accounts, transfers and entries. This changes no balance.`}
              isDisabled={checks[0]?.state === 'waiting'}
            />
          </Group>
          {checks[0] && <Result check={checks[0]} />}
          {checks.length === 0 ? (
            <MessageState icon="empty" text={t`The ledger has not been checked yet`} />
          ) : (
            <Table withTableBorder>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t`Requested`}</Table.Th>
                  <Table.Th>{t`Operator`}</Table.Th>
                  <Table.Th>{t`Finished`}</Table.Th>
                  <Table.Th>{t`Result`}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {checks.map((check) => (
                  <Table.Tr key={check.requestedAt}>
                    <Table.Td>{formatTime(check.requestedAt)}</Table.Td>
                    <Table.Td>{check.requestedBy}</Table.Td>
                    <Table.Td>{formatTime(check.finishedAt)}</Table.Td>
                    <Table.Td>
                      <Status value={check.state} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Stack>
      )}
    </Detail>
  );
}

function Result({ check }: { check: Check }) {
  const { t } = useLingui();
  if (check.state === 'waiting') return <Alert color="yellow">{t`The check is running.`}</Alert>;
  if (check.state === 'ok') return <Alert color="green">{t`No invariant is broken.`}</Alert>;
  const broken = check.report?.Findings.filter(({ Broken }) => Broken > 0) ?? [];
  return (
    <Alert
      color="red"
      title={check.state === 'failed' ? t`The check failed.` : t`The ledger is broken.`}
    >
      <List>
        {broken.map((finding) => (
          <List.Item key={finding.Invariant}>
            {finding.Invariant}: {finding.Samples?.join('; ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
