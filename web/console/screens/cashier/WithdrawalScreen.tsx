import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Badge,
  Code,
  Group,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatMoney, formatTime } from '../../format.ts';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { Notices, type Notice } from './Notices.tsx';
import { MoneyState, useStateName } from './states.tsx';
import type { WithdrawalRow } from './WithdrawalsScreen.tsx';

type Withdrawal = WithdrawalRow & {
  holder: string;
  gateway?: string;
  gateways: readonly string[];
  payoutId?: string;
  bankReference?: string;
  holdId: string;
  transferId?: string;
  twoPeople: boolean;
  approval?: { id: string; state: string };
  steps: readonly { status: string; at: number; actor?: string }[];
  signals: readonly { code: string; alert: boolean; value: string }[];
  notices: readonly Notice[];
};

const signalLabels: Record<string, MessageDescriptor> = {
  identity: msg`Identity`,
  first_payout: msg`Payouts before this one`,
  name_differs: msg`Other names on deposits or the account`,
  velocity: msg`Withdrawals within a day`,
  bonus_share: msg`Share of promotions, in percent`,
  shared_device: msg`Accounts on the same device`,
  shared_card: msg`Other members with this bank account`,
  password_reset: msg`Passwords reset by operators within 72 hours`,
  turnover: msg`Stakes missing at a request on a break (settled / required)`,
};

/** One withdrawal with its checks, its steps and the buttons that decide it. */
export function WithdrawalScreen() {
  const { t, i18n } = useLingui();
  const { id } = useParams<{ id: string }>();
  const path = `/ops/v1/withdrawals/${encodeURIComponent(id)}`;
  const nameOf = useStateName();
  const withdrawal = useObject<Withdrawal>(path);
  return (
    <Detail query={withdrawal}>
      {(value) => (
        <Stack>
          <Group>
            <Title order={2}>{formatMoney(value.amount, value.currency)}</Title>
            <MoneyState status={value.status} />
          </Group>
          {value.approval?.state === 'waiting' && (
            <Alert color="yellow">
              {t`Waits for a second person`}{' '}
              <Anchor component={Link} href="/approvals">
                {t`Approvals`}
              </Anchor>
            </Alert>
          )}
          {value.twoPeople && isUndecided(value) && value.approval?.state !== 'waiting' && (
            <Alert color="blue">
              {t`Above the limit: two different people must approve this withdrawal.`}
            </Alert>
          )}
          <Decision value={value} path={path} />
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
              { label: t`Holder`, value: value.holder },
              { label: t`Bank`, value: `${value.bank} •• ${value.lastFour}` },
              { label: t`Fee`, value: formatMoney(value.fee, value.currency) },
              { label: t`Paid to the bank`, value: formatMoney(value.paid, value.currency) },
              { label: t`Gateway`, value: value.gateway },
              { label: t`Reference of the bank`, value: value.bankReference ?? value.payoutId },
              { label: t`Reason`, value: value.reason },
              {
                label: t`Held money`,
                value: (
                  <Anchor component={Link} href={`/transfers/${value.holdId}`}>
                    {value.holdId}
                  </Anchor>
                ),
              },
              {
                label: t`Transfer`,
                value: value.transferId && (
                  <Anchor component={Link} href={`/transfers/${value.transferId}`}>
                    {value.transferId}
                  </Anchor>
                ),
              },
            ]}
          />
          <Title order={3}>{t`Checks`}</Title>
          <Table withTableBorder>
            <Table.Tbody>
              {value.signals.map((signal) => {
                const label = signalLabels[signal.code];
                return (
                  <Table.Tr key={signal.code}>
                    <Table.Td>{label ? i18n._(label) : signal.code}</Table.Td>
                    <Table.Td>{signal.value || '–'}</Table.Td>
                    <Table.Td>
                      <Badge color={signal.alert ? 'yellow' : 'green'}>
                        {signal.alert ? t`Look at it` : t`In order`}
                      </Badge>
                    </Table.Td>
                  </Table.Tr>
                );
              })}
            </Table.Tbody>
          </Table>
          <Title order={3}>{t`Steps`}</Title>
          <Table withTableBorder>
            <Table.Tbody>
              {value.steps.map((step) => (
                <Table.Tr key={`${step.status}${step.at}`}>
                  <Table.Td>{formatTime(step.at)}</Table.Td>
                  <Table.Td>{nameOf(step.status)}</Table.Td>
                  <Table.Td>{step.actor}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Notices notices={value.notices} />
        </Stack>
      )}
    </Detail>
  );
}

const isUndecided = ({ status }: { status: string }): boolean =>
  status === 'REQUESTED' || status === 'REVIEW';

function Decision({ value, path }: { value: Withdrawal; path: string }) {
  const { t } = useLingui();
  const nameOf = useStateName();
  const [gateway, setGateway] = useState<string | null>(null);
  const [bankReference, setBankReference] = useState('');
  const [accountNumber, setAccountNumber] = useState('');
  const body = { version: value.version };
  const isOpen = isUndecided(value);
  const isPaidByHand = !value.gateway;
  const statusChange = (after: string) => [
    { label: t`Status`, before: nameOf(value.status), after: nameOf(after) },
  ];
  return (
    <>
      {accountNumber && (
        <Alert withCloseButton onClose={() => setAccountNumber('')}>
          <Code>{accountNumber}</Code>
        </Alert>
      )}
      <Group>
        {value.status === 'REQUESTED' && (
          <ActionButton
            label={t`Take into review`}
            permission="withdrawal.review"
            path={`${path}/review`}
            body={body}
            change={statusChange('REVIEW')}
          />
        )}
        {isOpen && (
          <ActionButton
            label={t`Approve`}
            permission="withdrawal.approve"
            path={`${path}/approve`}
            body={{ ...body, ...(gateway && { gateway }) }}
            reason="optional"
            change={statusChange('APPROVED')}
            fields={
              value.gateways.length > 1 && (
                <Select
                  label={t`Gateway`}
                  data={[...value.gateways]}
                  value={gateway}
                  onChange={setGateway}
                />
              )
            }
          />
        )}
        {value.status === 'APPROVED' && (
          <ActionButton
            label={t`Mark as sent`}
            permission="withdrawal.approve"
            path={`${path}/sent`}
            body={body}
            change={statusChange('SENT')}
          />
        )}
        {value.status === 'SENT' && (
          <ActionButton
            label={t`Mark as paid`}
            permission="withdrawal.approve"
            path={`${path}/paid`}
            body={{ ...body, bankReference: bankReference.trim() }}
            change={statusChange('PAID')}
            fields={
              <TextInput
                label={t`Reference of the bank`}
                required
                maxLength={100}
                value={bankReference}
                onChange={(event) => setBankReference(event.currentTarget.value)}
              />
            }
          />
        )}
        {(isOpen || (isPaidByHand && value.status === 'APPROVED')) && (
          <ActionButton
            label={t`Refuse`}
            color="red"
            permission="withdrawal.review"
            path={`${path}/refuse`}
            body={body}
            reason="required"
            change={statusChange('REFUSED')}
          />
        )}
        {(value.status === 'SENT' || (!isPaidByHand && value.status === 'APPROVED')) && (
          <ActionButton
            label={t`End as failed`}
            color="red"
            permission="withdrawal.approve"
            path={`${path}/fail`}
            body={body}
            reason="required"
            change={statusChange('FAILED')}
            fields={
              <Text>{t`The member gets the money back. Ask the gateway or the bank first whether it will still pay.`}</Text>
            }
          />
        )}
        <ActionButton<{ number: string }>
          label={t`Show the bank account`}
          permission="withdrawal.approve"
          path={`${path}/view`}
          change={t`The audit log keeps that you saw the whole number.`}
          onDone={(done) => setAccountNumber(done.number)}
        />
      </Group>
    </>
  );
}
