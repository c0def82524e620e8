import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Alert,
  Anchor,
  Badge,
  Code,
  Grid,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Timeline,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';

import { ActionButton } from '../../action/ActionButton.tsx';
import { formatMoney, formatTime } from '../../format.ts';
import { Icon } from '../../Icon.tsx';
import { Detail } from '../../object/Detail.tsx';
import { Fields } from '../../object/Fields.tsx';
import { useObject } from '../../object/useObject.ts';
import { Notices, type Notice } from './Notices.tsx';
import { MoneyState, useStateName } from './states.tsx';
import type { WithdrawalRow } from './WithdrawalsScreen.tsx';

import styles from './WithdrawalScreen.module.css';

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
  const { id } = useParams<{ id: string }>();
  const path = `/ops/v1/withdrawals/${encodeURIComponent(id)}`;
  const withdrawal = useObject<Withdrawal>(path);
  return (
    <Detail query={withdrawal}>
      {(value) => (
        <Stack>
          <Group justify="space-between">
            <Group>
              <Title order={2}>{formatMoney(value.amount, value.currency)}</Title>
              <MoneyState status={value.status} />
            </Group>
            <Decision value={value} path={path} />
          </Group>
          <Grid>
            <Grid.Col span={{ base: 12, lg: 8 }}>
              <Stack>
                <Details value={value} />
                <Checks signals={value.signals} />
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 4 }}>
              <Stack>
                <TwoPeople value={value} />
                <Steps steps={value.steps} />
              </Stack>
            </Grid.Col>
          </Grid>
          <Notices notices={value.notices} />
        </Stack>
      )}
    </Detail>
  );
}

function Details({ value }: { value: Withdrawal }) {
  const { t } = useLingui();
  return (
    <Paper withBorder p="md">
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
    </Paper>
  );
}

function Checks({ signals }: Pick<Withdrawal, 'signals'>) {
  const { t, i18n } = useLingui();
  const alerts = signals.filter(({ alert }) => alert).length;
  return (
    <Paper withBorder p="md">
      <Group mb="sm">
        <Title order={3} size="h4">{t`Checks`}</Title>
        <Badge color="green">{t`${signals.length - alerts} in order`}</Badge>
        {alerts > 0 && <Badge color="yellow">{t`${alerts} to look at`}</Badge>}
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" component="ul" className={styles.checks}>
        {signals.map((signal) => {
          const label = signalLabels[signal.code];
          return (
            <Group key={signal.code} component="li" wrap="nowrap" align="start" gap="sm">
              <span className={signal.alert ? styles.alert : styles.ok}>
                <Icon name={signal.alert ? 'error' : 'ok'} />
              </span>
              <div>
                <Text fw={700} size="sm">
                  {label ? i18n._(label) : signal.code}
                </Text>
                <Text size="sm" c="dimmed">
                  {signal.alert ? t`Look at it` : t`In order`}
                  {signal.value && `: ${signal.value}`}
                </Text>
              </div>
            </Group>
          );
        })}
      </SimpleGrid>
    </Paper>
  );
}

function TwoPeople({ value }: { value: Withdrawal }) {
  const { t } = useLingui();
  if (value.approval?.state === 'waiting')
    return (
      <Alert color="yellow">
        {t`Waits for a second person`}{' '}
        <Anchor component={Link} href="/approvals">
          {t`Approvals`}
        </Anchor>
      </Alert>
    );
  if (!value.twoPeople || !isUndecided(value)) return null;
  return (
    <Alert color="blue">
      {t`Above the limit: two different people must approve this withdrawal.`}
    </Alert>
  );
}

function Steps({ steps }: Pick<Withdrawal, 'steps'>) {
  const { t } = useLingui();
  const nameOf = useStateName();
  return (
    <Paper withBorder p="md">
      <Title order={3} size="h4" mb="sm">{t`Steps`}</Title>
      <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2}>
        {steps.map((step) => (
          <Timeline.Item key={`${step.status}${step.at}`} title={nameOf(step.status)}>
            <Text size="sm" c="dimmed">
              {formatTime(step.at)}
              {step.actor && ` · ${step.actor}`}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Paper>
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
            variant="filled"
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
