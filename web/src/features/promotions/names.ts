import { useLingui } from '@lingui/react/macro';

import type { PromotionCategory } from '../../api/promotions.ts';

/** The categories in the order of the filter. */
export function useCategoryNames(): Record<PromotionCategory, string> {
  const { t } = useLingui();
  return { deposit: t`Deposit`, cashback: t`Cash back`, event: t`Events`, vip: t`VIP` };
}

export const categoryArt: Record<PromotionCategory, string> = {
  deposit: 'gift',
  cashback: 'money-wings',
  event: 'party',
  vip: 'crown',
};

export const detailPath = (id: string): string => `/m/activity?promotion=${id}`;
