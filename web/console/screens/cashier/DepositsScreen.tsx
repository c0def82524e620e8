import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Anchor, Group, Image, Stack, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { typedAmount } from '../../amount.ts';
import { formatMoney, formatTime } from '../../format.ts';
import { DataList, type Column } from '../../list/DataList.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { Notices, type Notice } from './Notices.tsx';
import { depositStateFilter, MoneyState, queueFilter, QueueText, useStateName } from './states.tsx';

type DepositRow = {
  id: string;
  reference: string;
  status: string;
  kind: string;
  method: string;
  memberId: string;
  member: string;
  amount: number;
  fee: number;
  currency: string;
  payerName?: string;
  createdAt: number;
  proof: boolean;
  reason?: string;
  queue: string;
  version: number;
};

const columns: readonly Column<DepositRow>[] = [
  { key: 'createdAt', title: msg`Time`, render: (row) => formatTime(row.createdAt) },
  { key: 'reference', title: msg`Reference` },
  { key: 'member', title: msg`Member` },
  { key: 'method', title: msg`Method` },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: (row) => formatMoney(row.amount, row.currency),
  },
  { key: 'status', title: msg`Status`, render: (row) => <MoneyState status={row.status} /> },
  { key: 'queue', title: msg`Look at it`, render: (row) => <QueueText queue={row.queue} /> },
];

/** All deposits, with filters. */
export function DepositsScreen() {
  const [, navigate] = useLocation();
  return (
    <DataList<DepositRow>
      name="deposits"
      path="/ops/v1/deposits"
      columns={columns}
      filters={[
        { name: 'q', kind: 'text', label: msg`Id, reference or member` },
        depositStateFilter,
        queueFilter,
        { name: 'from', kind: 'date', label: msg`From` },
        { name: 'to', kind: 'date', label: msg`To` },
      ]}
      onOpen={({ id }) => navigate(`/deposits/${id}`)}
    />
  );
}

type Deposit = DepositRow & {
  paymentId?: string;
  transferId?: string;
  bank?: { name: string; number: string; holder: string };
  notices: readonly Notice[];
};

/** One deposit with its proof and notices. */
export function DepositScreen() {
  const { t } = useLingui();
  const nameOf = useStateName();
  const [amount, setAmount] = useState('');
  const { id } = useParams<{ id: string }>();
  const path = `/ops/v1/deposits/${encodeURIComponent(id)}`;
  const deposit = useObject<Deposit>(path);
  return (
    <Detail query={deposit}>
      {(value) => (
        <Stack>
          <Group>
            <Title order={2}>{formatMoney(value.amount, value.currency)}</Title>
            <MoneyState status={value.status} />
          </Group>
          <Group>
            {value.status !== 'CREDITED' && (
              <ActionButton
                label={t`Confirm`}
                permission="deposit.confirm"
                path={`${path}/confirm`}
                body={{ version: value.version, ...(amount && { amount: typedAmount(amount) }) }}
                reason="optional"
                change={[
                  { label: t`Status`, before: nameOf(value.status), after: nameOf('CREDITED') },
                  {
                    label: t`Amount`,
                    before: formatMoney(value.amount, value.currency),
                    after: arrivedText(amount, value),
                  },
                ]}
                fields={
                  <TextInput
                    label={t`Amount that arrived, if it differs`}
                    inputMode="decimal"
                    value={amount}
                    onChange={(event) => setAmount(event.currentTarget.value)}
                  />
                }
              />
            )}
            {(value.queue || value.status === 'WAITING' || value.status === 'CLAIMED') && (
              <ActionButton
                label={t`Refuse`}
                color="red"
                permission="deposit.confirm"
                path={`${path}/refuse`}
                body={{ version: value.version }}
                reason="required"
                change={t`An open deposit ends. One that has ended leaves the queue.`}
              />
            )}
          </Group>
          <Fields
            rows={[
              { label: t`Reference`, value: value.reference },
              {
                label: t`Member`,
                value: (
                  <Anchor component={Link} href={`/members/${value.memberId}`}>
                    {value.member}
                  </Anchor>
                ),
              },
              { label: t`Method`, value: value.method },
              { label: t`Fee`, value: formatMoney(value.fee, value.currency) },
              { label: t`Name of the payer`, value: value.payerName },
              { label: t`Reason`, value: value.reason },
              {
                label: t`Account that receives the money`,
                value: value.bank && `${value.bank.name} ${value.bank.number} ${value.bank.holder}`,
              },
              { label: t`Id at the gateway`, value: value.paymentId },
              {
                label: t`Transfer`,
                value: value.transferId && (
                  <Anchor component={Link} href={`/transfers/${value.transferId}`}>
                    {value.transferId}
                  </Anchor>
                ),
              },
              { label: t`Look at it`, value: value.queue && <QueueText queue={value.queue} /> },
            ]}
          />
          {value.proof && (
            <section>
              <Title order={2} size="h4" mb="sm">{t`Proof of payment`}</Title>
              <a href={`${path}/proof`} target="_blank" rel="noreferrer">
                <Image src={`${path}/proof`} alt={t`Proof of payment`} maw={480} />
              </a>
            </section>
          )}
          <Notices notices={value.notices} />
        </Stack>
      )}
    </Detail>
  );
}

/** The amount that will be credited. A text that is not an amount shows as typed. */
function arrivedText(typed: string, { amount, currency }: Pick<Deposit, 'amount' | 'currency'>) {
  const arrived = typed ? typedAmount(typed) : amount;
  return typeof arrived === 'string' ? arrived : formatMoney(arrived, currency);
}
