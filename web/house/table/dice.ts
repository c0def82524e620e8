// Flat dice for cells and history, and isometric dice for the dome.
import { svg } from '../kit/dom.ts';

const places: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[50, 50]],
  2: [
    [28, 28],
    [72, 72],
  ],
  3: [
    [26, 26],
    [50, 50],
    [74, 74],
  ],
  4: [
    [28, 28],
    [72, 28],
    [28, 72],
    [72, 72],
  ],
  5: [
    [26, 26],
    [74, 26],
    [50, 50],
    [26, 74],
    [74, 74],
  ],
  6: [
    [28, 24],
    [72, 24],
    [28, 50],
    [72, 50],
    [28, 76],
    [72, 76],
  ],
};

/** Sic bo dice have red ones and fours. */
const isRed = (value: number): boolean => value === 1 || value === 4;

const pips = (value: number): SVGElement[] =>
  (places[value] ?? []).map(([cx, cy]) =>
    svg('circle', { cx, cy, r: value === 1 ? 14 : 9.5, class: isRed(value) ? 'pip red' : 'pip' }),
  );

export function flatDie(value: number): SVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 100 100', class: 'die', 'aria-hidden': 'true' },
    svg('rect', { class: 'die-body', x: 2, y: 2, width: 96, height: 96, rx: 20 }),
    ...pips(value),
  );
}

/** Returns the two visible sides next to the top. Opposite sides add up to seven. */
export function visibleSides(top: number): readonly [number, number] {
  const ring = [1, 2, 3, 4, 5, 6].filter((value) => value !== top && value !== 7 - top);
  const first = ring[top % ring.length] ?? 1;
  const second = ring.find((value) => value !== first && value !== 7 - first) ?? 1;
  return [first, second];
}

const face = (name: string, transform: string, value: number): SVGElement =>
  svg(
    'g',
    { transform, class: name },
    svg('rect', { x: 0, y: 0, width: 100, height: 100, rx: 12 }),
    ...pips(value),
  );

export function isometricDie(top: number): SVGElement {
  const [start, end] = visibleSides(top);
  return svg(
    'svg',
    { viewBox: '0 0 176 206', class: 'standing-die', 'aria-hidden': 'true' },
    face('die-top', 'matrix(0.86 0.5 -0.86 0.5 88 3)', top),
    face('die-start', 'matrix(0.86 0.5 0 1 2 53)', start),
    face('die-end', 'matrix(0.86 -0.5 0 1 88 103)', end),
  );
}
