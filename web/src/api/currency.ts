import { useQuery } from '@tanstack/react-query';

import { currencyOf, defaultCurrency, type Currency } from '../lib/currency.ts';
import { settingsQuery, type Settings } from './system.ts';
import type { Wallet } from './wallet.ts';

/**
 * How a wallet's amounts are written: by the merchant's settings where it holds the merchant's currency, and
 * by what is known of its own where it does not, so that play money never passes for money.
 */
export function useWalletCurrency(wallet: Wallet | undefined): Currency {
  const { data: settings } = useQuery(settingsQuery);
  if (!wallet) return defaultCurrency;
  if (settings?.currency.code !== wallet.currency) {
    return currencyOf(wallet.currency, wallet.symbol);
  }
  const { code, symbol, pattern, position } = settings.currency;
  return { code, symbol, pattern, position: position === 'B' ? 'B' : 'F' };
}

const noSettings = { currency: defaultCurrency, decimals: 2 };

/** The merchant's own currency, and how many of its digits come after the point. */
export function useMerchantCurrency(): { currency: Currency; decimals: number } {
  const { data: settings } = useQuery({ ...settingsQuery, select: readCurrency });
  return settings ?? noSettings;
}

function readCurrency({ currency }: Settings): { currency: Currency; decimals: number } {
  const { code, symbol, pattern, position, decimals } = currency;
  return { currency: { code, symbol, pattern, position: position === 'B' ? 'B' : 'F' }, decimals };
}
