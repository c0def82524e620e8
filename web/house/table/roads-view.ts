// The bead road and the big road of a table with two sides.
import { t } from '@lingui/core/macro';

import { bdi, el, setText, svg } from '../kit/dom.ts';
import type { HistoryView } from './engine.ts';
import { bead, bigRoad, type Mark, rows } from './roads.ts';
import type { PastRound } from './wire.ts';

const cell = 17;
const beadColumns = 7;
const bigColumns = 14;

const centre = (place: number): number => (place + 0.5) * cell;

export type Sides<S extends string> = {
  order: readonly [S, S];
  mark: (result: unknown) => Mark<S>;
  name: (side: S | 'tie') => string;
};

const emptyCells = (columns: number): SVGElement[] =>
  Array.from({ length: columns * rows }, (_, i) =>
    svg('rect', {
      class: 'road-cell',
      x: Math.floor(i / rows) * cell + 0.5,
      y: (i % rows) * cell + 0.5,
      width: cell - 1,
      height: cell - 1,
      rx: 2.5,
    }),
  );

export function roadsView<S extends string>({ order, mark, name }: Sides<S>): HistoryView {
  const counts = el('p', { class: 'road-counts' });
  const disclaimer = el('p', { class: 'road-disclaimer' });
  const [beads, big] = [beadColumns, bigColumns].map((columns) =>
    svg('svg', {
      viewBox: `0 0 ${columns * cell} ${rows * cell}`,
      class: 'road',
      'aria-hidden': 'true',
    }),
  ) as [SVGElement, SVGElement];
  const summary = el('p', { class: 'hidden' });
  const root = el(
    'section',
    { class: 'roads' },
    el('div', { class: 'road-head' }, counts, disclaimer),
    // Roads run from left to right in every language.
    el('div', { class: 'road-pair', dir: 'ltr' }, beads, big),
    summary,
  );
  const tone = (side: S | 'tie'): string =>
    side === 'tie' ? 'tie' : side === order[0] ? 'first' : 'second';

  function drawBeads(marks: readonly Mark<S>[]): void {
    beads.replaceChildren(...emptyCells(beadColumns));
    for (const { column, row, mark: one } of bead(marks, beadColumns)) {
      const { side, text, dots = [] } = one;
      const [x, y] = [centre(column), centre(row)];
      const letter = svg('text', { class: 'road-letter', x, y: y + 3.6 });
      letter.textContent = text;
      beads.append(svg('circle', { class: `bead ${tone(side)}`, cx: x, cy: y, r: 7.2 }), letter);
      for (const dot of dots) {
        const at = dot === order[0] ? 5.5 : -5.5;
        beads.append(svg('circle', { class: `dot ${tone(dot)}`, cx: x + at, cy: y + at, r: 2.6 }));
      }
    }
  }

  function drawBig(marks: readonly Mark<S>[]): void {
    big.replaceChildren(...emptyCells(bigColumns));
    for (const { column, row, side, ties, last } of bigRoad(marks, bigColumns)) {
      const [x, y] = [centre(column), centre(row)];
      big.append(svg('circle', { class: `big ${tone(side)}`, cx: x, cy: y, r: 5.6 }));
      if (ties > 0)
        big.append(svg('line', { class: 'stroke', x1: x - 6, y1: y + 6, x2: x + 6, y2: y - 6 }));
      if (last)
        big.append(
          svg('rect', {
            class: 'now',
            x: x - cell / 2 + 0.5,
            y: y - cell / 2 + 0.5,
            width: cell - 1,
            height: cell - 1,
            rx: 3,
          }),
        );
    }
  }

  return {
    root,
    draw(history: readonly PastRound[]): void {
      const marks = history.map(({ result }) => mark(result));
      root.setAttribute('aria-label', t`Rounds before this one`);
      setText(disclaimer, t`Does not predict the next round`);
      const sides = [order[1], order[0], 'tie'] as const;
      counts.replaceChildren(
        ...sides.map((side) =>
          el(
            'span',
            { 'data-tone': tone(side) },
            `${name(side)} `,
            bdi(String(marks.filter((one) => one.side === side).length)),
          ),
        ),
      );
      const recent = marks.slice(-10).map(({ side }) => name(side));
      const list = recent.toReversed().join(', ');
      setText(summary, recent.length > 0 ? t`Last rounds, the latest first: ${list}` : '');
      drawBeads(marks);
      drawBig(marks);
    },
  };
}
