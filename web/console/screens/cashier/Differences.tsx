import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';

import type { Difference } from './gateways.ts';
import { MoneyState } from './states.tsx';

/** Where the gateway and this site disagree. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  const { t } = useLingui();
  if (differences.length === 0) return <p>{t`Both sides agree.`}</p>;
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Reference`}</Table.Th>
            <Table.Th>{t`Here`}</Table.Th>
            <Table.Th>{t`At the gateway`}</Table.Th>
            <Table.Th>{t`Amount`}</Table.Th>
            <Table.Th>{t`Difference`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map((difference) => (
            <Table.Tr key={`${difference.reference}${difference.text}`}>
              <Table.Td>{difference.reference}</Table.Td>
              <Table.Td>{difference.here ? <MoneyState status={difference.here} /> : '–'}</Table.Td>
              <Table.Td>{difference.there}</Table.Td>
              <Table.Td>{difference.amount}</Table.Td>
              <Table.Td>{difference.text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
