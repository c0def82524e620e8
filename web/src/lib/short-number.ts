import { formatNumber } from './money.ts';

const units = [
  [1_000_000_000, 'B'],
  [1_000_000, 'M'],
  [1000, 'K'],
] as const;

/** A number in short, as chips have it in every language: `10K`, `1.5M`. Cut to a tenth, never rounded up. */
export function shortNumber(value: number, language: string): string {
  const [unit, sign] = units.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const tenths = Math.trunc((value * 10) / unit) / 10;
  return formatNumber(tenths, { pattern: '#,##0.0', language, decimals: 'needed' }) + sign;
}

/** The same where nothing may be cut, as of what is staked: exact to a hundredth of its unit, or written out. */
export function shortExact(value: number, language: string): string {
  const [unit, sign] = units.find(
    ([least]) => Math.abs(value) >= least && (value * 100) % least === 0,
  ) ?? [1, ''];
  const places = String(value / unit).split('.')[1]?.length ?? 0;
  const pattern = places > 0 ? `#,##0.${'0'.repeat(places)}` : '#,##0';
  return formatNumber(value / unit, { pattern, language }) + sign;
}
