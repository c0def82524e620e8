import { useLingui } from '@lingui/react/macro';
import {
  Anchor,
  Badge,
  Button,
  Group,
  MultiSelect,
  SimpleGrid,
  Stack,
  Table,
  TextInput,
  Title,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';

import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';
import { NewKey, type Key } from '../offer/vendors/NewKey.tsx';
import { CashierTabs } from './CashierTabs.tsx';
import { Differences } from './Differences.tsx';
import { GatewayInputs } from './GatewayInputs.tsx';
import {
  gatewayBody,
  gatewaysPath,
  isGatewayDraft,
  type Gateway,
  type GatewayDraft,
} from './gateways.ts';

/** All payment gateways. */
export function GatewaysScreen() {
  const { t } = useLingui();
  const gateways = useObject<{ list: readonly Gateway[] }>(gatewaysPath);
  return (
    <>
      <CashierTabs />
      <Group justify="end" mb="md">
        <Button component={Link} href="/gateways/new">
          {t`New gateway`}
        </Button>
      </Group>
      <Detail query={gateways}>
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
                    <Table.Th>{t`Address`}</Table.Th>
                    <Table.Th>{t`Currencies`}</Table.Th>
                    <Table.Th>{t`Keys`}</Table.Th>
                    <Table.Th>{t`Differences`}</Table.Th>
                    <Table.Th>{t`Status`}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((gateway) => (
                    <Table.Tr key={gateway.id}>
                      <Table.Td>
                        <Anchor component={Link} href={`/gateways/${gateway.id}`}>
                          {gateway.name}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>{gateway.code}</Table.Td>
                      <Table.Td>{gateway.url}</Table.Td>
                      <Table.Td>{gateway.currencies.join(', ')}</Table.Td>
                      <Table.Td>{gateway.keys}</Table.Td>
                      <Table.Td>
                        <DifferenceCount gateway={gateway} />
                      </Table.Td>
                      <Table.Td>
                        <Status value={gateway.status} />
                      </Table.Td>
                    </Table.Tr>
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

function DifferenceCount({ gateway }: { gateway: Gateway }) {
  const { t } = useLingui();
  const { reconciliation } = gateway;
  if (!reconciliation) return <>{t`Not compared yet`}</>;
  const count = reconciliation.differences.length;
  return (
    <Badge color={count > 0 ? 'red' : 'green'} tt="none" autoContrast>
      {count}
    </Badge>
  );
}

/** The last comparison with each gateway. */
export function ReconciliationScreen() {
  const { t } = useLingui();
  const gateways = useObject<{ list: readonly Gateway[] }>(gatewaysPath);
  return (
    <>
      <CashierTabs />
      <Detail query={gateways}>
        {({ list }) => (
          <Stack gap="xl">
            {list.length === 0 && <MessageState icon="empty" text={t`Nothing found`} />}
            {list.map((gateway) => {
              const at = formatTime(gateway.reconciliation?.at);
              const checked = gateway.reconciliation?.checked ?? 0;
              return (
                <section key={gateway.id} aria-label={gateway.name}>
                  <Group mb="sm">
                    <Title order={2} size="h4">
                      <Anchor component={Link} href={`/gateways/${gateway.id}`} inherit>
                        {gateway.name}
                      </Anchor>
                    </Title>
                    <DifferenceCount gateway={gateway} />
                    {gateway.reconciliation && <span>{t`${at}, ${checked} compared`}</span>}
                  </Group>
                  <Differences differences={gateway.reconciliation?.differences ?? []} />
                </section>
              );
            })}
          </Stack>
        )}
      </Detail>
    </>
  );
}

/** Creates a gateway with its payment method, and shows its first key. */
export function NewGatewayScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [currencies, setCurrencies] = useState<string[]>(['VND']);
  const [draft, setDraft] = useState<GatewayDraft>({ name: '', url: '', min: '0', max: '0' });
  const [key, setKey] = useState<Key | null>(null);
  const create = useAction<Key>({ path: gatewaysPath, onDone: setKey });
  const isComplete = code.trim() !== '' && currencies.length > 0 && isGatewayDraft(draft);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isComplete) await create.run({ ...gatewayBody(draft), code: code.trim(), currencies });
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <Title order={2} size="h3">
          {t`New gateway`}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t`Code`}
            maxLength={32}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <MultiSelect
            label={t`Currencies`}
            data={['VND', 'PKR', 'BRL', 'CNY']}
            value={currencies}
            onChange={setCurrencies}
          />
        </SimpleGrid>
        <GatewayInputs draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} />
        <ActionResult error={create.error} approval={create.approval} />
        <Group justify="end">
          <Button type="submit" disabled={!isComplete} loading={create.isBusy}>
            {t`Create`}
          </Button>
        </Group>
        <NewKey value={key} onClose={() => navigate('/gateways')} />
      </Stack>
    </form>
  );
}
