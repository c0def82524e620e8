// Amounts in a game's sentences, as the app writes them.
import { directionOf } from '../../src/i18n/languages.ts';
import type { Currency } from '../../src/lib/currency.ts';
import { formatMoney } from '../../src/lib/money.ts';
import { held } from './dom.ts';
import { language } from './language.ts';

export function amountsIn(currency: Currency) {
  const write = (amount: number, signed: boolean): string => {
    const spoken = language();
    const text = formatMoney(amount, { currency, language: spoken, decimals: 'needed', signed });
    // In a line that runs from right to left, sign and symbol would change sides.
    return directionOf(spoken) === 'rtl' ? held(text) : text;
  };
  return {
    money: (amount: number): string => write(amount, false),
    net: (amount: number): string => write(amount, true),
  };
}
