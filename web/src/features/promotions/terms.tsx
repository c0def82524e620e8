import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { useCurrencyOf } from '../../api/amounts.ts';
import type { Promotion } from '../../api/promotions.ts';
import { formatDay } from '../../lib/dates.ts';
import { Amount } from '../../ui/Amount.tsx';
import type { IconName } from '../../ui/icons.ts';

export type KeyTerm = { name: string; text: ReactNode; icon: IconName };

/** The terms next to the headline: what it needs, what the member gets, the stakes and the end. */
export function useKeyTerms(promotion: Promotion): readonly KeyTerm[] {
  const { t, i18n } = useLingui();
  const { currency } = useCurrencyOf(promotion.currency);
  const { min, max, amount, wagering, days, payout, to, kind } = promotion;
  const money = (value: number) => <Amount value={value} currency={currency} />;
  const terms: KeyTerm[] = [];
  if (min > 0)
    terms.push({
      name: kind === 'loss_rebate' ? t`Loss from` : t`Deposit from`,
      text: money(min),
      icon: 'wallet',
    });
  if (amount > 0) terms.push({ name: t`Reward`, text: money(amount), icon: 'gift' });
  terms.push({
    name: t`Wagering`,
    text: payout === 'cash' ? t`None` : t`${wagering} × bonus`,
    icon: 'arrows-clockwise',
  });
  if (to > 0)
    terms.push({ name: t`Ends`, text: formatDay(to, i18n.locale), icon: 'calendar-blank' });
  if (amount === 0 && max > 0) terms.push({ name: t`At most`, text: money(max), icon: 'gift' });
  if (payout === 'bonus')
    terms.push({ name: t`Time to stake`, text: t`${days} days`, icon: 'timer' });
  return terms;
}
