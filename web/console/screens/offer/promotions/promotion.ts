import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import type { EditedLanguage } from '../content/entry.ts';

export type PromotionText = { title: string; terms: string };

/** A promotion as operators edit it. Amounts are in the currency's unit. */
export type Promotion = {
  id: string;
  code: string;
  kind: string;
  category: string;
  currency: string;
  title: string;
  status: string;
  texts: Partial<Record<EditedLanguage, PromotionText>>;
  image: string;
  payout: string;
  percent: number;
  amount: number;
  min: number;
  max: number;
  wagering: number;
  every: string;
  promoCode: string;
  maxRewards: number;
  claimDays: number;
  days: number;
  startsAt: number;
  endsAt: number;
  applyBy: number;
  published: boolean;
  sorting: number;
  version: number;
  /** The request to publish or edit it, which waits for a second person. */
  approval?: { id: string; state: string };
};

export const kindLabels: Record<string, MessageDescriptor> = {
  first_deposit: msg`First deposit`,
  reload: msg`Reload`,
  loss_rebate: msg`Loss rebate`,
  birthday: msg`Birthday`,
  promo_code: msg`Promotion code`,
  grant: msg`Manual grant`,
  application: msg`Application`,
};

export const categoryLabels: Record<string, MessageDescriptor> = {
  deposit: msg`Deposit`,
  cashback: msg`Cash back`,
  event: msg`Events`,
  vip: msg`VIP`,
};

export const payoutLabels: Record<string, MessageDescriptor> = {
  cash: msg`Cash`,
  bonus: msg`Bonus`,
};

export const everyLabels: Record<string, MessageDescriptor> = {
  '': msg`Once`,
  day: msg`Every day`,
  week: msg`Every week`,
};

export const rewardLabels: Record<string, MessageDescriptor> = {
  APPLIED: msg`Application waits`,
  UNCLAIMED: msg`Unclaimed`,
  WAGERING: msg`Being staked`,
  CLAIMED: msg`Claimed`,
  COMPLETED: msg`Became cash`,
  EXPIRED: msg`Expired`,
  GIVEN_UP: msg`Given up`,
  REFUSED: msg`Refused`,
};

export const blankPromotion: Promotion = {
  id: '',
  code: '',
  kind: 'application',
  category: 'event',
  currency: '',
  title: '',
  status: 'draft',
  texts: {},
  image: '',
  payout: 'cash',
  percent: 0,
  amount: 0,
  min: 0,
  max: 0,
  wagering: 0,
  every: '',
  promoCode: '',
  maxRewards: 0,
  claimDays: 7,
  days: 7,
  startsAt: 0,
  endsAt: 0,
  applyBy: 0,
  published: false,
  sorting: 0,
  version: 0,
};

/** The values of the form. */
type PromotionDraft = Omit<
  Promotion,
  'id' | 'currency' | 'title' | 'status' | 'approval' | 'version'
>;

export function promotionDraft(promotion: Promotion): PromotionDraft {
  const {
    id: _i,
    currency: _c,
    title: _t,
    status: _s,
    approval: _a,
    version: _v,
    ...draft
  } = promotion;
  return draft;
}

/** Returns the request body. Code and kind are fixed after creation. */
export function promotionBody(
  { id, version }: Pick<Promotion, 'id' | 'version'>,
  { code, kind, texts, ...rest }: PromotionDraft,
): object {
  const filled = Object.fromEntries(
    Object.entries(texts).filter(([, text]) => text.title || text.terms),
  );
  return { ...rest, texts: filled, ...(id ? { version } : { code, kind }) };
}
