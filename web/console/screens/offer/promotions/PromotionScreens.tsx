import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  Anchor,
  Badge,
  Button,
  Group,
  Image,
  Select,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';

import { ActionButton } from '../../../action/ActionButton.tsx';
import { typedAmount } from '../../../amount.ts';
import { formatMoney, formatTime } from '../../../format.ts';
import { DataList, type Column } from '../../../list/DataList.tsx';
import { Detail } from '../../../object/Detail.tsx';
import { Fields } from '../../../object/Fields.tsx';
import { Label } from '../../../object/Label.tsx';
import { useObject } from '../../../object/useObject.ts';
import { statusLabels } from '../content/entry.ts';
import { loyaltyLabels } from './loyalty.ts';
import {
  blankPromotion,
  kindLabels,
  payoutLabels,
  rewardLabels,
  type Promotion,
} from './promotion.ts';
import { PromotionEditor } from './PromotionEditor.tsx';
import { PromotionTabs } from './PromotionTabs.tsx';

const permission = 'promotion.edit';

const promotionColumns: readonly Column<Promotion>[] = [
  { key: 'title', title: msg`Title` },
  { key: 'code', title: msg`Code` },
  {
    key: 'kind',
    title: msg`Kind`,
    render: ({ kind }) => <Label labels={{ ...kindLabels, ...loyaltyLabels }} value={kind} />,
  },
  {
    key: 'payout',
    title: msg`Paid as`,
    render: ({ payout }) => <Label labels={payoutLabels} value={payout} />,
  },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => (
      <Badge color={status === 'published' ? 'teal' : 'gray'}>
        <Label labels={statusLabels} value={status} />
      </Badge>
    ),
  },
  { key: 'startsAt', title: msg`Start`, render: ({ startsAt }) => formatTime(startsAt) },
  { key: 'endsAt', title: msg`End`, render: ({ endsAt }) => (endsAt ? formatTime(endsAt) : '') },
];

function PromotionsScreen() {
  const { t } = useLingui();
  const [, navigate] = useLocation();
  return (
    <>
      <PromotionTabs />
      <Group justify="end" mb="md">
        <Button component={Link} href="/promotions/new">
          {t`New promotion`}
        </Button>
      </Group>
      <DataList<Promotion>
        name="promotions"
        path="/ops/v1/promotions"
        columns={promotionColumns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Search` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
          },
        ]}
        onOpen={({ id }) => navigate(`/promotions/${id}`)}
      />
    </>
  );
}

function PromotionScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const query = useObject<Promotion>(`/ops/v1/promotions/${id}`);
  return (
    <Detail query={query}>
      {(promotion) => (
        <Stack>
          <Group justify="end">
            <ActionButton
              label={promotion.published ? t`Unpublish` : t`Publish`}
              permission={permission}
              path={`/ops/v1/promotions/${id}/${promotion.published ? 'unpublish' : 'publish'}`}
              body={{ version: promotion.version }}
              reason="optional"
              change={[
                {
                  label: t`Status`,
                  before: promotion.published ? t`Published` : t`Draft`,
                  after: promotion.published ? t`Draft` : t`Published`,
                },
              ]}
            />
          </Group>
          <PromotionEditor key={promotion.id} promotion={promotion} />
        </Stack>
      )}
    </Detail>
  );
}

type Reward = {
  id: string;
  promotion: string;
  title: string;
  memberId: string;
  member: string;
  status: string;
  payout: string;
  amount: number;
  currency: string;
  required: number;
  wagered: number;
  paid: number;
  remark?: string;
  images: number;
  reason?: string;
  decidedBy?: string;
  createdAt: number;
  expiresAt: number;
  version: number;
};

const rewardColumns: readonly Column<Reward>[] = [
  { key: 'createdAt', title: msg`Time`, render: (row) => formatTime(row.createdAt) },
  { key: 'member', title: msg`Member` },
  { key: 'promotion', title: msg`Promotion` },
  {
    key: 'amount',
    title: msg`Amount`,
    align: 'end',
    render: (row) => formatMoney(row.amount, row.currency),
  },
  {
    key: 'payout',
    title: msg`Paid as`,
    render: ({ payout }) => <Label labels={payoutLabels} value={payout} />,
  },
  {
    key: 'status',
    title: msg`Status`,
    render: ({ status }) => <Label labels={rewardLabels} value={status} />,
  },
];

function RewardsScreen() {
  const [, navigate] = useLocation();
  return (
    <>
      <PromotionTabs />
      <Group justify="end" mb="md">
        <GrantButton />
      </Group>
      <DataList<Reward>
        name="rewards"
        path="/ops/v1/rewards"
        columns={rewardColumns}
        filters={[
          { name: 'q', kind: 'text', label: msg`Member, promotion or id` },
          {
            name: 'state',
            kind: 'choice',
            label: msg`Status`,
            options: Object.entries(rewardLabels).map(([value, label]) => ({ value, label })),
          },
          { name: 'from', kind: 'date', label: msg`From` },
          { name: 'to', kind: 'date', label: msg`To` },
        ]}
        onOpen={({ id }) => navigate(`/rewards/${id}`)}
      />
    </>
  );
}

/** Grants a reward to one member. */
function GrantButton() {
  const { t } = useLingui();
  const list = useObject<{ list: readonly Promotion[] }>(
    '/ops/v1/promotions?state=published&pageSize=100',
  );
  const [promotionId, setPromotionId] = useState<string | null>(null);
  const [member, setMember] = useState('');
  const [amount, setAmount] = useState('');
  const grants = (list.data?.list ?? []).filter(({ kind }) => kind === 'grant');
  return (
    <ActionButton
      label={t`Grant a reward`}
      permission={permission}
      path="/ops/v1/rewards"
      body={{ promotionId: promotionId ?? '', member: member.trim(), amount: typedAmount(amount) }}
      reason="required"
      change={t`The member gets a reward to claim. The house pays it.`}
      fields={
        <>
          <Select
            label={t`Promotion`}
            value={promotionId}
            data={grants.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setPromotionId}
          />
          <TextInput
            label={t`Username`}
            value={member}
            onChange={(event) => setMember(event.currentTarget.value)}
          />
          <TextInput
            label={t`Amount`}
            inputMode="decimal"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        </>
      }
      onDone={() => {
        setMember('');
        setAmount('');
      }}
    />
  );
}

function RewardScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const [amount, setAmount] = useState('');
  const path = `/ops/v1/rewards/${encodeURIComponent(id)}`;
  const query = useObject<Reward>(path);
  return (
    <Detail query={query}>
      {(reward) => (
        <Stack>
          <Group>
            <Title order={2}>{reward.title}</Title>
            <Badge>
              <Label labels={rewardLabels} value={reward.status} />
            </Badge>
          </Group>
          {reward.status === 'APPLIED' && (
            <Group>
              <ActionButton
                label={t`Approve`}
                permission={permission}
                path={`${path}/approve`}
                body={{ version: reward.version, ...(amount && { amount: typedAmount(amount) }) }}
                reason="optional"
                change={t`The member can claim the reward.`}
                fields={
                  <TextInput
                    label={t`Amount, if it differs from the promotion's`}
                    inputMode="decimal"
                    value={amount}
                    onChange={(event) => setAmount(event.currentTarget.value)}
                  />
                }
              />
              <ActionButton
                label={t`Refuse`}
                color="red"
                permission={permission}
                path={`${path}/refuse`}
                body={{ version: reward.version }}
                reason="required"
                change={t`The member reads the reason.`}
              />
            </Group>
          )}
          <Fields
            rows={[
              {
                label: t`Member`,
                value: (
                  <Anchor component={Link} href={`/members/${reward.memberId}`}>
                    {reward.member}
                  </Anchor>
                ),
              },
              { label: t`Promotion`, value: reward.promotion },
              { label: t`Amount`, value: formatMoney(reward.amount, reward.currency) },
              {
                label: t`Paid as`,
                value: <Label labels={payoutLabels} value={reward.payout} />,
              },
              {
                label: t`Staked`,
                value: `${formatMoney(reward.wagered, reward.currency)} / ${formatMoney(reward.required, reward.currency)}`,
              },
              { label: t`Became cash`, value: formatMoney(reward.paid, reward.currency) },
              { label: t`Time`, value: formatTime(reward.createdAt) },
              { label: t`Expires`, value: reward.expiresAt ? formatTime(reward.expiresAt) : '' },
              { label: t`Remark`, value: reward.remark },
              { label: t`Reason`, value: reward.reason },
              { label: t`Decided by`, value: reward.decidedBy },
            ]}
          />
          <Group>
            {Array.from({ length: reward.images }, (_, index) => (
              <Image
                key={index}
                src={`${path}/image/${index + 1}`}
                alt={t`Picture ${index + 1}`}
                maw={320}
              />
            ))}
          </Group>
        </Stack>
      )}
    </Detail>
  );
}

export const promotionRoutes = [
  { path: '/promotions', screen: PromotionsScreen },
  { path: '/promotions/new', screen: () => <PromotionEditor promotion={blankPromotion} /> },
  { path: '/promotions/:id', screen: PromotionScreen },
  { path: '/rewards', screen: RewardsScreen },
  { path: '/rewards/:id', screen: RewardScreen },
];
