// Chips. A value has the same colour at every table.
import { shortExact } from '../../src/lib/short-number.ts';
import { el, svg } from '../kit/dom.ts';
import { language } from '../kit/language.ts';

/** Returns the fewest chips for an amount, largest first. A remainder below the smallest chip is dropped. */
export function chipsFor(amount: number, tray: readonly number[], maxChips = 5): number[] {
  const chips: number[] = [];
  let rest = amount;
  for (const chip of tray.toSorted((a, b) => b - a)) {
    while (rest >= chip && chips.length < maxChips) {
      chips.push(chip);
      rest -= chip;
    }
  }
  return chips.length > 0 ? chips : tray.slice(0, 1);
}

/** Abbreviates exact amounts, such as 50K or 1.5M. Writes other amounts out. */
export const shortAmount = (amount: number): string => shortExact(amount, language());

/** The chips of all tables, in units of the currency. Each has its own colour. */
const values = [1, 2, 5, 10, 20, 50, 100, 200] as const;

/** The number of a chip's colour, from 1. */
export const toneOf = (chip: number, unit: number): number => {
  const value = Math.round(chip / unit);
  return (
    Math.max(
      0,
      values.findIndex((one) => one === value),
    ) + 1
  );
};

export function chipFace(chip: number, unit: number): HTMLElement {
  const label = shortAmount(chip);
  const face = el('span', {
    class: 'chip',
    'data-tone': toneOf(chip, unit),
    'data-long': label.length > 4,
    'aria-hidden': 'true',
  });
  const ring = svg('svg', { viewBox: '0 0 48 48' });
  // Eight white notches in the edge, and a dashed line inside.
  ring.append(
    svg('circle', { class: 'chip-edge', cx: 24, cy: 24, r: 21, 'stroke-dasharray': '8.25 8.25' }),
    svg('circle', { class: 'chip-line', cx: 24, cy: 24, r: 15.6, 'stroke-dasharray': '2.4 2.2' }),
  );
  face.append(ring, el('b', {}, label));
  return face;
}

/** A stack for a spot, the largest chip at the bottom. */
export function chipStack(amount: number, tray: readonly number[], unit: number): HTMLElement {
  const chips = chipsFor(amount, tray, 4);
  const stack = el('span', { class: 'stack', 'aria-hidden': 'true' });
  chips.forEach((chip, i) => {
    const face = chipFace(chip, unit);
    face.style.setProperty('--step', String(i));
    stack.append(face);
  });
  return stack;
}
