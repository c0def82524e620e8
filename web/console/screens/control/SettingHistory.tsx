import { useLingui } from '@lingui/react/macro';
import { Code, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { ChangeView } from '../../action/ActionButton.tsx';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';

type Change = { version: number; before: unknown; after: unknown; at: number; operator: string };

type Changes = { list: readonly Change[] };

export const jsonOf = (value: unknown): string => JSON.stringify(value) ?? '';

type UndoneProps = {
  path: string;
  version: number;
  label: string;
  value: unknown;
  render: (value: unknown) => ReactNode;
};

/** The values before and after the change with a version is undone. */
export function Undone({ path, version, label, value, render }: UndoneProps) {
  const { t } = useLingui();
  const query = useObject<Changes>(`${path}/history`);
  return (
    <Detail query={query}>
      {({ list }) => {
        const last = list.find((change) => change.version === version);
        if (!last) return <Text>{t`The value before the last change returns.`}</Text>;
        return (
          <ChangeView change={[{ label, before: render(value), after: render(last.before) }]} />
        );
      }}
    </Detail>
  );
}

/** The last changes of a setting. */
export function History({ path }: { path: string }) {
  const { t } = useLingui();
  const query = useObject<Changes>(`${path}/history`);
  return (
    <section>
      <Title order={3} size="h5" mb="xs">{t`History`}</Title>
      <Detail query={query}>
        {({ list }) =>
          list.length === 0 ? (
            <Text c="dimmed">{t`Never changed`}</Text>
          ) : (
            <Table.ScrollContainer minWidth={480}>
              <Table withTableBorder>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t`Time`}</Table.Th>
                    <Table.Th>{t`Operator`}</Table.Th>
                    <Table.Th>{t`Before`}</Table.Th>
                    <Table.Th>{t`After`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((change) => (
                    <Table.Tr key={change.version}>
                      <Table.Td>{formatTime(change.at)}</Table.Td>
                      <Table.Td>{change.operator}</Table.Td>
                      <Table.Td>
                        <Code>{jsonOf(change.before)}</Code>
                      </Table.Td>
                      <Table.Td>
                        <Code>{jsonOf(change.after)}</Code>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Detail>
    </section>
  );
}
