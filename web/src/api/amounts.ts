import { currencyOf, type Currency } from '../lib/currency.ts';
import { useMerchantCurrency } from './currency.ts';

/** Returns how to format amounts of a currency: by the merchant's settings if it is the merchant's currency. */
export function useCurrencyOf(code: string | undefined): { currency: Currency; decimals: number } {
  const merchant = useMerchantCurrency();
  if (!code || code === merchant.currency.code) return merchant;
  const currency = currencyOf(code, '');
  return { currency, decimals: currency.pattern.split('.')[1]?.length ?? 0 };
}
