// How amounts of a currency are written. Formatting is in lib/money.ts, which home does not load.

export type Currency = {
  code: string;
  symbol: string;
  /** F: the symbol is before the amount. B: it is after the amount. */
  position: 'F' | 'B';
  /** `#,##0.00` or `#,##0`: grouping and decimals. */
  pattern: string;
};

export const defaultCurrency: Currency = {
  code: 'CNY',
  symbol: '￥',
  position: 'F',
  pattern: '#,##0.00',
};

/** Currencies that differ from the default format, including play money. */
const otherwise: Record<string, Pick<Currency, 'position' | 'pattern'>> = {
  VND: { position: 'B', pattern: '#,##0' },
  FUN: { position: 'B', pattern: '#,##0' },
};

/** Returns a currency's format when only its code and symbol are known. */
export function currencyOf(code: string, symbol: string): Currency {
  return { ...defaultCurrency, ...otherwise[code], code, symbol: symbol || code };
}
