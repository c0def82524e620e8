import { directionOf } from '../../src/i18n/languages.ts';
import type { Currency } from '../../src/lib/currency.ts';
import { formatMoney } from '../../src/lib/money.ts';
import { isolateLtr } from './dom.ts';
import { language } from './language.ts';

export function amountFormatter(currency: Currency) {
  const write = (amount: number, signed: boolean): string => {
    const current = language();
    const text = formatMoney(amount, { currency, language: current, decimals: 'needed', signed });
    // In right-to-left text the sign and the symbol would change sides.
    return directionOf(current) === 'rtl' ? isolateLtr(text) : text;
  };
  return {
    money: (amount: number): string => write(amount, false),
    net: (amount: number): string => write(amount, true),
  };
}
