import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Badge,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Table,
  Textarea,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type FormEvent } from 'react';
import { useLocation, useParams } from 'wouter';

import { ActionResult } from '../../../action/ActionResult.tsx';
import { useAction } from '../../../action/useAction.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { NewerVersion } from '../../../object/NewerVersion.tsx';
import { useDraft } from '../../../object/useDraft.ts';
import { useObject } from '../../../object/useObject.ts';
import { loyaltyLabels, type LoyaltyRule } from './loyalty.ts';
import { PromotionTabs } from './PromotionTabs.tsx';

function KindName({ id }: { id: string }) {
  const { i18n } = useLingui();
  const label = loyaltyLabels[id];
  return <>{label ? i18n._(label) : id}</>;
}

function Status({ status }: { status: LoyaltyRule['status'] }) {
  const { t } = useLingui();
  return (
    <Badge color={status === 'on' ? 'teal' : 'gray'}>{status === 'on' ? t`On` : t`Off`}</Badge>
  );
}

const columns: readonly Column<LoyaltyRule>[] = [
  { key: 'id', title: msg`Kind`, render: ({ id }) => <KindName id={id} /> },
  { key: 'currency', title: msg`Currency` },
  { key: 'status', title: msg`Status`, render: ({ status }) => <Status status={status} /> },
];

function LoyaltyScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <PromotionTabs />
      <DataList<LoyaltyRule>
        name="loyalty"
        path="/ops/v1/loyalty"
        columns={columns}
        filters={[]}
        onOpen={({ id }) => navigate(`/loyalty/${id}`)}
      />
    </>
  );
}

function RuleScreen() {
  const { id = '' } = useParams();
  const query = useObject<LoyaltyRule>(`/ops/v1/loyalty/${id}`);
  return <Detail query={query}>{(rule) => <RuleEditor key={rule.id} rule={rule} />}</Detail>;
}

type RuleDraft = Pick<LoyaltyRule, 'enabled' | 'checkIn' | 'cashBack' | 'vip' | 'referral'>;

const ruleDraft = ({ enabled, checkIn, cashBack, vip, referral }: LoyaltyRule): RuleDraft => ({
  enabled,
  ...(checkIn && { checkIn }),
  ...(cashBack && { cashBack }),
  ...(vip && { vip }),
  ...(referral && { referral }),
});

type PartProps = { rule: RuleDraft; onChange: (part: Partial<RuleDraft>) => void };

/** The form of a rule. Amounts are in the currency's unit. */
function RuleEditor({ rule }: { rule: LoyaltyRule }) {
  const { t } = useLingui();
  const form = useDraft(rule, ruleDraft);
  const { draft, change } = form;
  const [reason, setReason] = useState('');
  const save = useAction<LoyaltyRule>({ method: 'PUT', path: `/ops/v1/loyalty/${rule.id}` });

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    const saved = await save.run({
      ...draft,
      version: form.base.version,
      ...(reason.trim() && { reason: reason.trim() }),
    });
    if (!saved) return;
    if (saved.approval) {
      notifications.show({ color: 'yellow', message: t`Waits for a second person` });
      return;
    }
    form.load(saved);
    notifications.show({ color: 'green', message: t`Saved` });
  }

  return (
    <form noValidate onSubmit={(event) => void send(event)}>
      <Stack>
        <Group justify="space-between">
          <Group>
            <Title order={1} size="h3">
              <KindName id={rule.id} />
            </Title>
            <Status status={rule.status} />
          </Group>
          <Button type="submit" loading={save.isBusy}>
            {t`Save`}
          </Button>
        </Group>
        {form.isOutdated && <NewerVersion onLoad={() => form.load(rule)} />}
        <ActionResult error={save.error} approval={save.approval} />
        <Checkbox
          label={t`On`}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <CheckInPart rule={draft} onChange={change} />
        <CashBackPart rule={draft} onChange={change} />
        <VipPart rule={draft} onChange={change} />
        <ReferralPart rule={draft} onChange={change} />
        <Textarea
          label={t`Reason (optional)`}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </form>
  );
}

type AmountProps = { label: string; value: number; onChange: (value: number) => void };

const Amount = ({ label, value, onChange }: AmountProps) => (
  <NumberInput
    label={label}
    min={0}
    hideControls
    value={value}
    onChange={(next) => onChange(Number(next) || 0)}
  />
);

function CheckInPart({ rule: { checkIn }, onChange }: PartProps) {
  const { t } = useLingui();
  if (!checkIn) return null;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }}>
      {checkIn.amounts.map((amount, index) => {
        const day = index + 1;
        return (
          <Amount
            key={day}
            label={t`Day ${day}`}
            value={amount}
            onChange={(value) =>
              onChange({ checkIn: { amounts: checkIn.amounts.with(index, value) } })
            }
          />
        );
      })}
    </SimpleGrid>
  );
}

function CashBackPart({ rule: { cashBack }, onChange }: PartProps) {
  const { t } = useLingui();
  if (!cashBack) return null;
  const change = (part: Partial<typeof cashBack>) =>
    onChange({ cashBack: { ...cashBack, ...part } });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
      <Select
        label={t`How often`}
        allowDeselect={false}
        value={cashBack.every}
        data={[
          { value: 'day', label: t`Every day` },
          { value: 'week', label: t`Every week` },
        ]}
        onChange={(every) => change({ every: every === 'week' ? 'week' : 'day' })}
      />
      <Amount label={t`Least amount`} value={cashBack.min} onChange={(min) => change({ min })} />
      <Amount
        label={t`Most, 0 for no limit`}
        value={cashBack.max}
        onChange={(max) => change({ max })}
      />
      {Object.entries(cashBack.rates).map(([category, percent]) => (
        <Amount
          key={category}
          label={t`Percent of stakes: ${category}`}
          value={percent}
          onChange={(value) => change({ rates: { ...cashBack.rates, [category]: value } })}
        />
      ))}
    </SimpleGrid>
  );
}

function VipPart({ rule: { vip }, onChange }: PartProps) {
  const { t } = useLingui();
  if (!vip) return null;
  const { days, levels } = vip;
  const change = (part: Partial<typeof vip>) => onChange({ vip: { ...vip, ...part } });
  const fields = ['turnover', 'reward', 'percent'] as const;
  const labels = {
    turnover: t`Stakes`,
    reward: t`Reward`,
    percent: t`Percent added to cash back`,
  };
  return (
    <Stack>
      <Amount
        label={t`Days that count, 0 for all`}
        value={days}
        onChange={(next) => change({ days: next })}
      />
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Tbody>
            {levels.map((level, index) => {
              const number = index + 1;
              return (
                <Table.Tr key={number}>
                  <Table.Th scope="row">VIP {number}</Table.Th>
                  {fields.map((field) => (
                    <Table.Td key={field}>
                      <Amount
                        label={`${labels[field]} (VIP ${number})`}
                        value={level[field]}
                        onChange={(value) =>
                          change({ levels: levels.with(index, { ...level, [field]: value }) })
                        }
                      />
                    </Table.Td>
                  ))}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group>
        <Button
          variant="default"
          disabled={levels.length >= 20}
          onClick={() =>
            change({
              levels: [
                ...levels,
                { turnover: (levels.at(-1)?.turnover ?? 0) * 2, reward: 0, percent: 0 },
              ],
            })
          }
        >
          {t`Add a level`}
        </Button>
        <Button
          variant="default"
          disabled={levels.length === 0}
          onClick={() => change({ levels: levels.slice(0, -1) })}
        >
          {t`Remove the last level`}
        </Button>
      </Group>
    </Stack>
  );
}

function ReferralPart({ rule: { referral }, onChange }: PartProps) {
  const { t } = useLingui();
  if (!referral) return null;
  const fields = {
    reward: t`Reward`,
    deposit: t`Deposits of the invited member`,
    turnover: t`Stakes of the invited member`,
    days: t`Days after registration`,
    most: t`Most rewards in a month, 0 for no limit`,
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {(Object.keys(fields) as (keyof typeof fields)[]).map((field) => (
        <Amount
          key={field}
          label={fields[field]}
          value={referral[field]}
          onChange={(value) => onChange({ referral: { ...referral, [field]: value } })}
        />
      ))}
    </SimpleGrid>
  );
}

export const loyaltyRoutes = [
  { path: '/loyalty', screen: LoyaltyScreen },
  { path: '/loyalty/:id', screen: RuleScreen },
];
