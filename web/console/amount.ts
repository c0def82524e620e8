import { readAmount } from '../src/lib/typed-amount.ts';

/** No currency has more decimals. */
const maxDecimals = 2;

/**
 * Reads an amount that an operator typed, with or without separators and with an optional minus sign. Returns a text that is not an
 * amount unchanged: the server refuses it.
 */
export function typedAmount(typed: string): number | string {
  const text = typed.trim();
  const isNegative = /^[-−]/.test(text);
  const digits = readAmount(isNegative ? text.slice(1) : text, maxDecimals);
  if (digits === null) return text;
  return isNegative ? -Number(digits) : Number(digits);
}
