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

/** The notices of the gateway, with the response to each. */
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
            {notices.map((notice) => (
              <Table.Tr
                key={`${notice.gatewayId}${notice.status}${notice.amount}${notice.receivedAt}`}
              >
                <Table.Td>{formatTime(notice.receivedAt)}</Table.Td>
                <Table.Td>{notice.gatewayId}</Table.Td>
                <Table.Td>{notice.status}</Table.Td>
                <Table.Td>
                  {notice.amount} {notice.currency}
                </Table.Td>
                <Table.Td>{notice.code}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
