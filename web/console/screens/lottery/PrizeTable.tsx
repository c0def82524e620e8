import { useLingui } from '@lingui/react/macro';
import { Table } from '@mantine/core';

import type { Prizes } from './draws.tsx';

/** The numbers of a regional draw. */
export function PrizeTable({ prizes }: { prizes: Prizes }) {
  const { t } = useLingui();
  return (
    <Table withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Prize`}</Table.Th>
          <Table.Th>{t`Numbers`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(prizes).map(([code, numbers]) => (
          <Table.Tr key={code}>
            <Table.Th scope="row">{code}</Table.Th>
            <Table.Td>{numbers.join(' ')}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
