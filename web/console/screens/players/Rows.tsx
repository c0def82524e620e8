import { useLingui } from '@lingui/react/macro';
import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type RowsProps = {
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
};

/** A small table of records. */
export function Rows({ head, rows }: RowsProps) {
  const { t } = useLingui();
  if (rows.length === 0) return <Text>{t`Nothing found`}</Text>;
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {head.map((title) => (
              <Table.Th key={title}>{title}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, column) => (
                <Table.Td key={head[column]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
