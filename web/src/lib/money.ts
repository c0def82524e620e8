// Formats amounts. The currency sets the symbol, its side and the decimals. The language sets the separators. Digits are always Western.
// The result is exact at any size, unless the amount itself arrives as a floating point number.

import { defaultCurrency, type Currency } from './currency.ts';

const dollar: Currency = { code: 'USD', symbol: '$', position: 'F', pattern: '#,##0.00' };

export type AmountValue = number | string | bigint;

export type MoneyOptions = {
  currency?: Currency;
  language?: string;
  /** Shows all decimals of the pattern, or none when the amount is whole. */
  decimals?: 'pattern' | 'needed';
  /** Adds a plus sign to positive amounts. */
  signed?: boolean;
  /** The most digits before the decimal point that a short amount shows. */
  fullDigits?: number;
};

/** Shown when there is no amount. */
export const noAmount = '–';

const hardSpace = '\u00A0';
const plainDecimal = /^([+-]?)(\d+)(?:\.(\d*))?$/;
const tags: Record<string, string> = { vi: 'vi-VN', en: 'en-US', ur: 'ur-PK', pt: 'pt-BR' };
const signsOf = new Map<string, { group: (digits: string) => string; point: string }>();

export function formatMoney(value: AmountValue, options: MoneyOptions = {}): string {
  const { currency = defaultCurrency, language = 'en', decimals, signed } = options;
  const number = formatNumber(value, { pattern: currency.pattern, language, decimals });
  if (number === noAmount) return noAmount;
  return withSymbol(number, currency, language, signed);
}

/** Like formatMoney, but abbreviates large amounts, as in `1.2B`. Cuts digits and never rounds up. */
export function formatShortMoney(value: AmountValue, options: MoneyOptions = {}): string {
  const { currency = defaultCurrency, language = 'en', signed, fullDigits = 9 } = options;
  const [, sign = '', digits = ''] = plainDecimal.exec(plain(value)) ?? [];
  if (digits.length <= fullDigits) return formatMoney(value, options);
  const format = new Intl.NumberFormat(tags[language] ?? 'en-US', {
    numberingSystem: 'latn',
    notation: 'compact',
    // Vietnamese abbreviates both thousand and million with T, so it gets the long form.
    compactDisplay: language === 'vi' ? 'long' : 'short',
    maximumFractionDigits: 2,
    roundingMode: 'trunc',
  });
  return withSymbol(
    format.format(BigInt(`${sign === '-' ? '-' : ''}${digits}`)),
    currency,
    language,
    signed,
  );
}

function withSymbol(
  number: string,
  currency: Currency,
  language: string,
  signed: boolean | undefined,
): string {
  const negative = number.startsWith('-');
  const sign = negative ? '-' : signed && /[1-9]/.test(number) ? '+' : '';
  const digits = negative ? number.slice(1) : number;
  if (currency.position === 'B') return `${sign}${digits}${hardSpace}${currency.symbol}`;
  // A symbol of letters needs a space before the digits; Portuguese always has one.
  const airy = language === 'pt' || /\p{L}$/u.test(currency.symbol);
  return `${sign}${currency.symbol}${airy ? hardSpace : ''}${digits}`;
}

/** Formats an amount without a currency as US dollars. */
export function formatDollars(value: AmountValue, options: Omit<MoneyOptions, 'currency'> = {}) {
  return formatMoney(value, { ...options, currency: dollar });
}

/** Formats a number with the language's separators. Decimals beyond the pattern are cut, never rounded up. */
export function formatNumber(
  value: AmountValue,
  options: {
    pattern?: string;
    language?: string | undefined;
    decimals?: 'pattern' | 'needed' | undefined;
  } = {},
): string {
  const { pattern = '#,##0', language = 'en', decimals = 'pattern' } = options;
  const match = plainDecimal.exec(plain(value));
  if (!match) return noAmount;
  const [, sign = '', digits = '0', rest = ''] = match;
  const places = pattern.split('.')[1]?.length ?? 0;
  const fraction = rest.slice(0, places).padEnd(places, '0');
  const whole = decimals === 'needed' && !/[1-9]/.test(fraction);
  const { group, point } = signs(language);
  const integer = pattern.includes(',') ? group(digits) : BigInt(digits).toString();
  const text = places > 0 && !whole ? `${integer}${point}${fraction}` : integer;
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text;
}

function plain(value: AmountValue): string {
  if (typeof value !== 'number') return String(value).trim();
  if (!Number.isFinite(value)) return '';
  const text = String(value);
  // Very large and very small numbers print with an exponent.
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? value.toFixed(20) : BigInt(value).toString();
}

function signs(language: string) {
  const known = signsOf.get(language);
  if (known) return known;
  const format = new Intl.NumberFormat(tags[language] ?? 'en-US', {
    numberingSystem: 'latn',
    useGrouping: true,
  });
  const point = format.formatToParts(0.5).find((part) => part.type === 'decimal')?.value ?? '.';
  const made = { group: (digits: string) => format.format(BigInt(digits)), point };
  signsOf.set(language, made);
  return made;
}
