import { useLingui } from '@lingui/react/macro';
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'wouter';

import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { Status } from '../control/Status.tsx';

type Check = { id: string; status: string; createdAt: number };

/** The member's identity checks, whose screens show the documents. */
export function MemberDocuments({ id }: { id: string }) {
  const { t } = useLingui();
  const checks = useObject<{ list: readonly Check[] }>(`/ops/v1/kyc?q=${id}`);
  return (
    <Detail query={checks}>
      {({ list }) =>
        list.length === 0 ? (
          <Text c="dimmed">{t`The member has sent no documents.`}</Text>
        ) : (
          <Table>
            <Table.Tbody>
              {list.map((check) => (
                <Table.Tr key={check.id}>
                  <Table.Td>
                    <Anchor component={Link} href={`/kyc/${check.id}`}>
                      {formatTime(check.createdAt)}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <Status value={check.status.toLowerCase()} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </Detail>
  );
}
