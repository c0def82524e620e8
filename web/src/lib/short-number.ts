import { formatNumber } from './money.ts';

const units = [
  [1_000_000_000, 'B'],
  [1_000_000, 'M'],
  [1000, 'K'],
] as const;

/** Abbreviates a number as on chips: `10K`, `1.5M`. Truncates to a tenth and never rounds up. */
export function shortNumber(value: number, language: string): string {
  const [unit, sign] = units.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const tenths = Math.trunc((value * 10) / unit) / 10;
  return formatNumber(tenths, { pattern: '#,##0.0', language, decimals: 'needed' }) + sign;
}

/** Abbreviates a number only when it stays exact to a hundredth of its unit. */
export function shortExact(value: number, language: string): string {
  const [unit, sign] = units.find(
    ([least]) => Math.abs(value) >= least && (value * 100) % least === 0,
  ) ?? [1, ''];
  const places = String(value / unit).split('.')[1]?.length ?? 0;
  const pattern = places > 0 ? `#,##0.${'0'.repeat(places)}` : '#,##0';
  return formatNumber(value / unit, { pattern, language }) + sign;
}
