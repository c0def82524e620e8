import { useQuery } from '@tanstack/react-query';

import { defaultCurrency, type Currency } from '../lib/money.ts';
import { settingsQuery } from './system.ts';

/** How the merchant writes its money; the specification's default until the settings are there. */
export function useCurrency(): Currency {
  const { data } = useQuery(settingsQuery);
  if (!data) return defaultCurrency;
  const { code, symbol, pattern, position } = data.currency;
  return { code, symbol, pattern, position: position === 'B' ? 'B' : 'F' };
}
