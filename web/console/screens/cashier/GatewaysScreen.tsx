import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Anchor,
  Badge,
  Button,
  Group,
  MultiSelect,
  SimpleGrid,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';

import { ActionResult } from '../../action/ActionResult.tsx';
import { useAction } from '../../action/useAction.ts';
import { formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { useObject } from '../../object/useObject.ts';
import { MessageState } from '../../states.tsx';
import { Status } from '../control/Status.tsx';
import { NewKey, type Key } from '../offer/vendors/NewKey.tsx';
import { CashierTabs } from './CashierTabs.tsx';
import { currencies, useSiteCurrency } from './currency.ts';
import { Differences } from './Differences.tsx';
import { GatewayInputs } from './GatewayInputs.tsx';
import {
  gatewayBody,
  gatewaysPath,
  isGatewayDraft,
  type Gateway,
  type GatewayDraft,
} from './gateways.ts';
import { activeFilter, settingSorts } from './MethodsScreen.tsx';

const columns: readonly Column<Gateway>[] = [
  { key: 'name', title: msg`Name` },
  { key: 'code', title: msg`Code` },
  { key: 'url', title: msg`Address` },
  { key: 'currencies', title: msg`Currencies`, render: (row) => row.currencies.join(', ') },
  { key: 'keys', title: msg`Keys`, align: 'end' },
  {
    key: 'reconciliation',
    title: msg`Differences`,
    render: (row) => <DifferenceCount gateway={row} />,
  },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status value={status} /> },
];

/** All payment gateways. */
export function GatewaysScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <CashierTabs />
      <Group justify="end" mb="md">
        <Button component={Link} href="/gateways/new">
          {t`New gateway`}
        </Button>
      </Group>
      <DataList<Gateway>
        name="gateways"
        path={gatewaysPath}
        columns={columns}
        sorts={settingSorts}
        filters={[{ name: 'q', kind: 'text', label: msg`Name or code` }, activeFilter]}
        onOpen={({ id }) => navigate(`/gateways/${id}`)}
      />
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
  const gateways = useObject<{ list: readonly Gateway[] }>(`${gatewaysPath}?pageSize=100`);
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
  const site = useSiteCurrency();
  return <Detail query={site}>{({ currency }) => <NewGatewayForm currency={currency} />}</Detail>;
}

function NewGatewayForm({ currency }: { currency: string }) {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [chosen, setChosen] = useState([currency]);
  const [draft, setDraft] = useState<GatewayDraft>({ name: '', url: '', min: '0', max: '0' });
  const [key, setKey] = useState<Key | null>(null);
  const create = useAction<Key>({ path: gatewaysPath, onDone: setKey });
  const isComplete = code.trim() !== '' && chosen.length > 0 && isGatewayDraft(draft);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isComplete)
      await create.run({ ...gatewayBody(draft), code: code.trim(), currencies: chosen });
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
            data={currencies}
            value={chosen}
            onChange={setChosen}
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
