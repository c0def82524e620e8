import { useLingui } from '@lingui/react/macro';

import type { BreakPeriod, LimitKind, LimitPeriod } from '../../api/limits.ts';

export function usePeriodNames(): {
  kinds: Record<LimitKind, string>;
  periods: Record<LimitPeriod, string>;
} {
  const { t } = useLingui();
  return {
    kinds: { deposit: t`Deposits`, loss: t`Losses`, stake: t`Stakes` },
    periods: { day: t`In 24 hours`, week: t`In 7 days`, month: t`In 30 days` },
  };
}

export function useBreakNames(): Record<BreakPeriod, string> {
  const { t } = useLingui();
  return {
    '24h': t`24 hours`,
    '1w': t`1 week`,
    '1m': t`1 month`,
    '6w': t`6 weeks`,
    '6M': t`6 months`,
    '1y': t`1 year`,
    '3y': t`3 years`,
    '5y': t`5 years`,
    life: t`For life`,
  };
}
