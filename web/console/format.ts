// Amounts and times as text, in the language of the console.
import { i18n } from '@lingui/core';

import { currencyOf } from '../src/lib/currency.ts';
import { formatMoney as format } from '../src/lib/money.ts';

/** Formats an amount in the unit of its currency, followed by the code. */
export const formatMoney = (amount: number | string, currency: string): string =>
  format(amount, {
    currency: { ...currencyOf(currency, currency), position: 'B' },
    language: i18n.locale,
  });

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${i18n.locale}${JSON.stringify(options)}`;
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(i18n.locale, options);
  formatters.set(key, formatter);
  return formatter;
}

/** Formats a time in Unix milliseconds, in the time zone of the browser. Without a time it returns a dash. */
export const formatTime = (ms: number | null | undefined): string =>
  ms ? formatterFor({ dateStyle: 'medium', timeStyle: 'medium' }).format(ms) : '–';

/** Formats the day of a time in Unix milliseconds, or a day such as 2026-11-18. */
export const formatDay = (day: number | string | null | undefined): string =>
  day
    ? formatterFor({ dateStyle: 'medium' }).format(
        typeof day === 'number' ? day : new Date(`${day}T00:00`),
      )
    : '–';
