import { useLingui } from '@lingui/react/macro';
import { Anchor, Button, Group, Table } from '@mantine/core';
import { Link } from 'wouter';

import { formatMoney } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';
import { CashierTabs } from './CashierTabs.tsx';
import type { Method } from './methods.ts';

export const methodsPath = '/ops/v1/methods';

/** All payment methods, with limits, fees and hours. */
export function MethodsScreen() {
  const { t } = useLingui();
  const methods = useObject<{ list: readonly Method[] }>(methodsPath);
  return (
    <>
      <CashierTabs />
      <Group justify="end" mb="md">
        <Button component={Link} href="/methods/new">
          {t`New payment method`}
        </Button>
      </Group>
      <Detail query={methods}>
        {({ list }) =>
          list.length === 0 ? (
            <MessageState icon="empty" text={t`Nothing found`} />
          ) : (
            <Table.ScrollContainer minWidth={720}>
              <Table withTableBorder highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t`Name`}</Table.Th>
                    <Table.Th>{t`Code`}</Table.Th>
                    <Table.Th>{t`Kind`}</Table.Th>
                    <Table.Th>{t`Limits`}</Table.Th>
                    <Table.Th>{t`Fee`}</Table.Th>
                    <Table.Th>{t`Hours`}</Table.Th>
                    <Table.Th>{t`Status`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((method) => (
                    <Row key={method.id} method={method} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Detail>
    </>
  );
}

function Row({ method }: { method: Method }) {
  const { t } = useLingui();
  const kinds: Record<string, string> = {
    mt: t`Bank transfer`,
    qr: t`Payment code`,
    pg: t`Gateway`,
  };
  const { currency, min, max, fee, feeRate, opensAt, closesAt } = method;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={`/methods/${method.id}`}>
          {method.name}
        </Anchor>
      </Table.Td>
      <Table.Td>{method.code}</Table.Td>
      <Table.Td>{kinds[method.kind] ?? method.kind}</Table.Td>
      <Table.Td>
        {formatMoney(min, currency)} – {formatMoney(max, currency)}
      </Table.Td>
      <Table.Td>
        {formatMoney(fee, currency)} + {+(feeRate * 100).toFixed(4)} %
      </Table.Td>
      <Table.Td>{opensAt === closesAt ? t`Always open` : `${opensAt} – ${closesAt}`}</Table.Td>
      <Table.Td>
        <Status value={method.status} />
      </Table.Td>
    </Table.Tr>
  );
}
