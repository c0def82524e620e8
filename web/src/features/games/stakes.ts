import { useQuery } from '@tanstack/react-query';

import { settingsQuery } from '../../api/system.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { shortNumber } from '../../lib/short-number.ts';

/** Minimum stakes to filter by, in whole units, for currencies without and with decimals. */
const steps = { small: [1000, 5000, 20_000], large: [1, 5, 20] } as const;

/** Returns the stakes in minor units of the merchant's currency. */
export function useStakes(): readonly number[] {
  const { data: settings } = useQuery(settingsQuery);
  const decimals = settings?.currency.decimals ?? 0;
  return decimals === 0 ? steps.small : steps.large.map((step) => step * 10 ** decimals);
}

/** Formats stakes in minor units. */
export function useFormatStake(): (minor: number) => string {
  const language = useLanguage();
  const { data: settings } = useQuery(settingsQuery);
  const decimals = settings?.currency.decimals ?? 0;
  return (minor) => shortNumber(minor / 10 ** decimals, language);
}
