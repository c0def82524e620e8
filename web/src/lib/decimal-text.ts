// Exact arithmetic on amounts as decimal text, such as "12.50". Amounts never pass through floating point numbers.

const decimalText = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Returns an amount in minor units, or null when the text is not a decimal number or has too many decimals. */
export function toMinor(text: string, decimals: number): bigint | null {
  const match = decimalText.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '0', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign ? -units : units;
}

/** Returns minor units as decimal text: 1250n with two decimals is `12.50`. */
export function fromMinorUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Compares two amounts of one currency: negative, zero or positive. */
export function compareAmounts(a: string, b: string): number {
  const places = Math.max(fractionOf(a), fractionOf(b));
  const [x, y] = [toMinor(a, places), toMinor(b, places)];
  if (x === null || y === null) throw new RangeError(`not an amount: ${x === null ? a : b}`);
  return x < y ? -1 : x > y ? 1 : 0;
}

const fractionOf = (text: string): number => text.split('.')[1]?.length ?? 0;
