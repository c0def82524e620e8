import { currencyOf, type Currency } from '../lib/currency.ts';
import { useMerchantCurrency } from './currency.ts';

/** Returns the format of a currency's amounts. The merchant's settings define it for the merchant's own currency. */
export function useCurrencyOf(code: string | undefined): { currency: Currency; decimals: number } {
  const merchant = useMerchantCurrency();
  if (!code || code === merchant.currency.code) return merchant;
  const currency = currencyOf(code, '');
  return { currency, decimals: currency.pattern.split('.')[1]?.length ?? 0 };
}
