import { expect, test } from 'vitest';

import { currencyOf, type Currency } from './currency.ts';
import { formatDollars, formatMoney, formatNumber, formatShortMoney, noAmount } from './money.ts';

const vnd: Currency = { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0' };
const pkr: Currency = { code: 'PKR', symbol: 'Rs', position: 'F', pattern: '#,##0' };
const brl: Currency = { code: 'BRL', symbol: 'R$', position: 'F', pattern: '#,##0.00' };

test('KO-04 balance: integer or two decimals with thousands separators; default CNY ￥ #,##0.00; one formatter defaults to USD', () => {
  expect(formatMoney(1234567)).toBe('￥1,234,567.00');
  expect(formatMoney(1234567.5)).toBe('￥1,234,567.50');
  expect(formatMoney(0)).toBe('￥0.00');
  expect(formatMoney(1234567, { decimals: 'needed' })).toBe('￥1,234,567');
  expect(formatMoney(1234567.5, { decimals: 'needed' })).toBe('￥1,234,567.50');
  expect(formatMoney(1234567, { currency: vnd })).toBe('1,234,567\u00A0₫');
  expect(formatDollars(1234.5)).toBe('$1,234.50');
});

test.each([
  ['vi', vnd, '1.234.568\u00A0₫'],
  ['en', vnd, '1,234,568\u00A0₫'],
  ['ur', pkr, 'Rs\u00A01,234,568'],
  ['pt', brl, 'R$\u00A01.234.568,00'],
] as const)('%s uses its own separators and Western digits', (language, currency, text) => {
  expect(formatMoney(1234568, { currency, language })).toBe(text);
});

test('formats amounts beyond the precision of a double exactly', () => {
  expect(formatMoney('92233720368547758.07', { language: 'vi' })).toBe(
    '￥92.233.720.368.547.758,07',
  );
  expect(formatMoney(9223372036854775807n, { currency: vnd })).toBe(
    '9,223,372,036,854,775,807\u00A0₫',
  );
});

test('truncates digits that the currency does not have', () => {
  expect(formatMoney('1.999')).toBe('￥1.99');
  expect(formatMoney('-1.999')).toBe('-￥1.99');
  expect(formatMoney('0.5', { currency: vnd })).toBe('0\u00A0₫');
});

test('writes the sign first, and no sign for zero', () => {
  expect(formatMoney(-5, { currency: vnd })).toBe('-5\u00A0₫');
  expect(formatMoney('-0.001')).toBe('￥0.00');
  expect(formatMoney(5, { signed: true })).toBe('+￥5.00');
  expect(formatMoney(0, { signed: true })).toBe('￥0.00');
});

test('accepts numbers that print with an exponent', () => {
  expect(formatMoney(1e-7)).toBe('￥0.00');
  expect(formatMoney(1e21, { currency: vnd })).toBe('1,000,000,000,000,000,000,000\u00A0₫');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, '', 'abc', '1,000', '1e5'])(
  'shows a dash for %s',
  (value) => {
    expect(formatMoney(value)).toBe(noAmount);
  },
);

test('plain numbers follow the pattern', () => {
  expect(formatNumber(1234567)).toBe('1,234,567');
  expect(formatNumber('0012', { pattern: '0' })).toBe('12');
  expect(formatNumber(1234.5, { pattern: '0.00', language: 'pt' })).toBe('1234,50');
});

test.each([
  ['VND', '₫', '1,234\u00A0₫'],
  ['FUN', 'FUN', '1,234\u00A0FUN'],
  ['FUN', '', '1,234\u00A0FUN'],
  ['BRL', 'R$', 'R$1,234.00'],
])('%s with the symbol %j is written %s', (code, symbol, text) => {
  expect(formatMoney(1234, { currency: currencyOf(code, symbol) })).toBe(text);
});

test('a short amount is truncated, never rounded up; small amounts are not shortened', () => {
  const short = (value: string, language: string, currency = vnd) =>
    formatShortMoney(value, { language, currency }).replaceAll('\u00A0', ' ');
  expect(short('999999999', 'en')).toBe('999,999,999 ₫');
  expect(short('1239999999', 'en')).toBe('1.23B ₫');
  // Not `T`, which may also mean triệu.
  expect(short('1239999999', 'vi')).toBe('1,23 tỷ ₫');
  expect(short('1239999999', 'pt')).toBe('1,23 bi ₫');
  expect(short('1239999999', 'ur')).toBe('1.23 ارب ₫');
  expect(short('-1239999999.99', 'en', brl)).toBe('-R$1.23B');
  const level = formatShortMoney('500000000', { language: 'vi', currency: vnd, fullDigits: 6 });
  expect(level.replaceAll('\u00A0', ' ')).toBe('500 triệu ₫');
});
