// Amounts as text. Symbol, its side and the pattern come from the currency; the grouping and decimal signs
// from the language; digits are Western in every language. Exact at any size: no amount passes through a
// floating point number on its way to the screen unless it came as one.

import { defaultCurrency, type Currency } from './currency.ts';

const dollar: Currency = { code: 'USD', symbol: '$', position: 'F', pattern: '#,##0.00' };

export type AmountValue = number | string | bigint;

export type MoneyOptions = {
  currency?: Currency;
  language?: string;
  /** Decimals as in the pattern, or only where the amount is not whole. */
  decimals?: 'pattern' | 'needed';
  /** Put a plus before amounts above zero. */
  signed?: boolean;
};

/** What stands where there is no amount to show. */
export const noAmount = '–';

const hardSpace = '\u00A0';
const plainDecimal = /^([+-]?)(\d+)(?:\.(\d*))?$/;
const tags: Record<string, string> = { vi: 'vi-VN', en: 'en-US', ur: 'ur-PK', pt: 'pt-BR' };
const signsOf = new Map<string, { group: (digits: string) => string; point: string }>();

/** An amount with its currency, as the member reads it. */
export function formatMoney(value: AmountValue, options: MoneyOptions = {}): string {
  const { currency = defaultCurrency, language = 'en', decimals, signed } = options;
  const number = formatNumber(value, { pattern: currency.pattern, language, decimals });
  if (number === noAmount) return noAmount;
  return withSymbol(number, currency, language, signed);
}

/** From this many digits on an amount is written in short. */
const longDigits = 9;

/** As formatMoney, but a huge amount in short, as in `1.2B`: cut, never rounded up. */
export function formatShortMoney(value: AmountValue, options: MoneyOptions = {}): string {
  const { currency = defaultCurrency, language = 'en', signed } = options;
  const [, sign = '', digits = ''] = plainDecimal.exec(plain(value)) ?? [];
  if (digits.length <= longDigits) return formatMoney(value, options);
  const format = new Intl.NumberFormat(tags[language] ?? 'en-US', {
    numberingSystem: 'latn',
    notation: 'compact',
    // In Vietnamese `T` may be a million as well as a thousand of them: it is written out.
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
  // A symbol of letters needs air before the digits; Portuguese always leaves it.
  const airy = language === 'pt' || /\p{L}$/u.test(currency.symbol);
  return `${sign}${currency.symbol}${airy ? hardSpace : ''}${digits}`;
}

/** The same for figures that come without a currency of their own: those are dollars. */
export function formatDollars(value: AmountValue, options: Omit<MoneyOptions, 'currency'> = {}) {
  return formatMoney(value, { ...options, currency: dollar });
}

/** A bare number in the language's signs; what exceeds the pattern's decimals is cut, never rounded up. */
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
