// How the amounts of a currency are written. Home knows this much; writing them is in lib/money.ts.

export type Currency = {
  code: string;
  symbol: string;
  /** F: the symbol stands in front; B: behind. */
  position: 'F' | 'B';
  /** `#,##0.00` or `#,##0`: whether thousands are grouped, and how many decimals there are. */
  pattern: string;
};

export const defaultCurrency: Currency = {
  code: 'CNY',
  symbol: '￥',
  position: 'F',
  pattern: '#,##0.00',
};

/** Currencies that are not written like the default one. Play money is among them. */
const otherwise: Record<string, Pick<Currency, 'position' | 'pattern'>> = {
  VND: { position: 'B', pattern: '#,##0' },
  FUN: { position: 'B', pattern: '#,##0' },
};

/** How a currency is written of which only code and symbol are known. */
export function currencyOf(code: string, symbol: string): Currency {
  return { ...defaultCurrency, ...otherwise[code], code, symbol: symbol || code };
}
