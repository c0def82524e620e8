import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function colours(theme: 'dark' | 'light'): Map<string, string> {
  const block = new RegExp(`\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1] ?? '', m[2] ?? '']),
  );
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const texts = ['tx', 'tx-2', 'tx-3', 'brand-tx', 'accent-tx', 'ok', 'warn', 'bad', 'info'];
const surfaces = ['bg', 's-1', 's-2', 's-3', 'sheet', 'raised', 'trough'];
const pairs: [front: string, back: string, least: number][] = [
  ...texts.flatMap((text) => surfaces.map((s): [string, string, number] => [text, s, 4.5])),
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-hi', 4.5],
  ['on-brand', 'brand-2', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-bad', 'bad-fill', 4.5],
  ['on-ok', 'ok', 4.5],
  ['on-bad-mark', 'bad', 4.5],
  // Outlines of fields and other controls.
  ['fl', 'bg', 3],
  ['fl', 's-1', 3],
  ['line-strong', 'bg', 3],
  ['line-strong', 's-1', 3],
];

test.each(['dark', 'light'] as const)('the %s theme has enough contrast', (theme) => {
  const palette = colours(theme);
  const colour = (name: string) => {
    const value = palette.get(name);
    if (!value) throw new Error(`${theme} has no colour ${name}`);
    return value;
  };
  const low = pairs.filter(([front, back, least]) => contrast(colour(front), colour(back)) < least);
  expect(low).toEqual([]);
});

test('both themes define the same colours', () => {
  expect([...colours('light').keys()].toSorted()).toEqual([...colours('dark').keys()].toSorted());
});
