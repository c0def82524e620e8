import { useLingui } from '@lingui/react/macro';
import { Table, Title } from '@mantine/core';

import { formatTime } from '../../format.ts';

export type Notice = {
  gatewayId: string;
  status: string;
  amount: string;
  currency: string;
  code: string;
  receivedAt: number;
};

/** What the gateway reported, and what was answered. */
export function Notices({ notices }: { notices: readonly Notice[] }) {
  const { t } = useLingui();
  if (notices.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{t`Notices of the gateway`}</Title>
      <Table.ScrollContainer minWidth={520}>
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Time`}</Table.Th>
              <Table.Th>{t`Id at the gateway`}</Table.Th>
              <Table.Th>{t`Status`}</Table.Th>
              <Table.Th>{t`Amount`}</Table.Th>
              <Table.Th>{t`Answer`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {notices.map((each) => (
              <Table.Tr key={`${each.gatewayId}${each.status}${each.amount}${each.receivedAt}`}>
                <Table.Td>{formatTime(each.receivedAt)}</Table.Td>
                <Table.Td>{each.gatewayId}</Table.Td>
                <Table.Td>{each.status}</Table.Td>
                <Table.Td>
                  {each.amount} {each.currency}
                </Table.Td>
                <Table.Td>{each.code}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
