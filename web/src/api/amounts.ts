import { currencyOf, type Currency } from '../lib/currency.ts';
import { useMerchantCurrency } from './currency.ts';

/** How amounts of a currency are written, by its code: the merchant's as it is set, others as they are known. */
export function useCurrencyOf(code: string | undefined): { currency: Currency; decimals: number } {
  const merchant = useMerchantCurrency();
  if (!code || code === merchant.currency.code) return merchant;
  const currency = currencyOf(code, '');
  return { currency, decimals: currency.pattern.split('.')[1]?.length ?? 0 };
}
