/** Tiles and board pieces of the games that players play against each other. */
import type { Random } from '../random.ts';
import { emoji, n, place, times, type Placement } from '../svg.ts';
import { pips } from './table.ts';

/** An ivory block with a coloured back, as mahjong tiles have. */
function block(inner: string, backing: string, at: Placement): string {
  return place(
    `<rect x="-50" y="-58" width="112" height="144" rx="18" fill="#000" opacity=".35" filter="url(#near)"/><rect x="-44" y="-62" width="104" height="140" rx="17" fill="${backing}"/><rect x="-50" y="-68" width="104" height="140" rx="17" fill="#d9d3be"/><rect x="-54" y="-72" width="104" height="140" rx="17" fill="url(#paper)" stroke="#fff" stroke-width="2"/><g transform="translate(-2 -2)">${inner}</g>`,
    at,
  );
}

const dots = (draw: Random): string => {
  const colours = draw.shuffle(['#d9163f', '#0e8a5c', '#2252d6']);
  const spots = draw.pick([
    [[0, 0, 38]],
    [
      [0, -34, 24],
      [0, 34, 24],
    ],
    [
      [-24, -36, 19],
      [0, 0, 19],
      [24, 36, 19],
    ],
    [
      [-24, -34, 20],
      [24, -34, 20],
      [-24, 34, 20],
      [24, 34, 20],
    ],
    [
      [-25, -38, 17],
      [25, -38, 17],
      [0, 0, 17],
      [-25, 38, 17],
      [25, 38, 17],
    ],
  ] as const);
  return spots
    .map(
      ([x, y, r], i) =>
        `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colours[i % 3]}" stroke-width="${n(r * 0.34)}"/><circle cx="${x}" cy="${y}" r="${n(r * 0.44)}" fill="${colours[(i + 1) % 3]}"/>`,
    )
    .join('');
};

const bamboo = (draw: Random): string => {
  const count = draw.int(2, 6);
  const perRow = count > 3 ? Math.ceil(count / 2) : count;
  return times(count, (i) => {
    const row = Math.floor(i / perRow);
    const inRow = row === 0 ? perRow : count - perRow;
    const x = ((i % perRow) - (inRow - 1) / 2) * 27;
    const y = count > 3 ? row * 62 - 31 : 0;
    const h = count > 3 ? 26 : 48;
    return `<g transform="translate(${n(x)} ${n(y)})" fill="${i % 3 === 1 ? '#d9163f' : '#0e8a5c'}"><rect x="-8" y="${-h}" width="16" height="${h - 2}" rx="7"/><rect x="-8" y="2" width="16" height="${h - 2}" rx="7"/><rect x="-10" y="-3" width="20" height="6" rx="3"/></g>`;
  });
};

function domino(
  draw: Random,
  at: Placement,
  colour: { body: string; pip: string; line: string },
): string {
  return place(
    `<rect x="-46" y="-84" width="92" height="180" rx="18" fill="#000" opacity=".38" filter="url(#near)"/><rect x="-44" y="-84" width="92" height="178" rx="18" fill="${colour.line}"/><rect x="-48" y="-90" width="92" height="178" rx="18" fill="${colour.body}"/><rect x="-48" y="-90" width="92" height="178" rx="18" fill="url(#sheen)" opacity=".6"/><path d="M-34-1H30" stroke="${colour.line}" stroke-width="5" stroke-linecap="round"/><g transform="translate(-2 -46)">${pips(draw.int(1, 6), 25, 9.5, colour.pip)}</g><g transform="translate(-2 44)">${pips(draw.int(1, 6), 25, 9.5, colour.pip)}</g>`,
    at,
  );
}

const WHITE = { body: '#f7f3e6', pip: '#20244a', line: '#b9ae8c' };
const BLACK = { body: '#22264a', pip: '#ffffff', line: '#0d1028' };

/** A round wooden piece with its animal. */
const disc = (code: string, edge: string, at: Placement): string =>
  place(
    `<ellipse cy="44" rx="64" ry="24" fill="#000" opacity=".38" filter="url(#near)"/><ellipse cy="16" rx="62" ry="58" fill="#6b3a12"/><circle r="62" fill="url(#pine)"/><circle r="50" fill="none" stroke="${edge}" stroke-width="6"/>${emoji(code, 0, 0, 78)}<circle r="62" fill="url(#sheen)" opacity=".55"/>`,
    at,
  );

const cross = (x: number, y: number): string =>
  `<path d="M${n(x - 17)} ${n(y - 17)}l34 34m0-34l-34 34" stroke="#ff4a68" stroke-width="13" stroke-linecap="round"/>`;

const ring = (x: number, y: number): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="18" fill="none" stroke="#ffd24a" stroke-width="12"/>`;

/** Caro is the Vietnamese five in a row. */
function caro(draw: Random): string {
  const lines = times(4, (i) => `M${i * 62 - 93} -124V124M-124 ${i * 62 - 93}H124`);
  // 1 if the winning row falls to the right, -1 if it rises.
  const slope = draw.chance(0.5) ? 1 : -1;
  const win = times(5, (i) => cross((i - 2) * 62 * 0.99, (i - 2) * 62 * slope));
  const others = draw
    .shuffle([
      [-1, -1],
      [0, -2],
      [1, -2],
      [-2, 0],
      [2, 0],
      [0, 2],
      [-1, 2],
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
      [2, -1],
    ] as const)
    .filter(([x, y]) => x !== y * slope)
    .slice(0, 5)
    .map(([x, y]) => ring(x * 62, y * 62))
    .join('');
  return `<g transform="scale(.88)"><rect x="-142" y="-134" width="284" height="284" rx="34" fill="#000" opacity=".35" filter="url(#near)"/><rect x="-142" y="-146" width="284" height="284" rx="34" fill="#f7f9ff"/><path d="${lines}" stroke="#bcc8ea" stroke-width="4"/>${others}<path d="M-140 ${-140 * slope}L140 ${140 * slope}" stroke="#ff4a68" stroke-opacity=".3" stroke-width="22" stroke-linecap="round"/>${win}</g>`;
}

export const pieceMotifs: Record<string, (draw: Random) => string> = {
  mahjong: (draw) => {
    const backing = draw.pick(['#0e9a62', '#2a62d8', '#c4264a']);
    return (
      block(bamboo(draw), backing, { x: -68, y: 4, turn: -draw.range(9, 14), scale: 0.8 }) +
      block(dots(draw), backing, { x: 72, y: 4, turn: draw.range(8, 13), scale: 0.8 }) +
      block(draw.chance(0.5) ? dots(draw) : bamboo(draw), backing, { x: 2, y: 0, scale: 1.02 })
    );
  },
  domino: (draw) =>
    domino(draw, { x: -66, y: 2, turn: -draw.range(14, 22), scale: 0.98 }, WHITE) +
    domino(draw, { x: 66, y: 2, turn: draw.range(12, 20), scale: 0.98 }, BLACK) +
    domino(draw, { x: 0, y: 8, turn: draw.range(-4, 4), scale: 1.08 }, WHITE),
  xiangqi: (draw) =>
    disc(draw.pick(['1f418', '1f405']), '#1c2a5c', { x: -62, y: -42, scale: 0.94 }) +
    disc('1f3f0', '#c4163a', { x: 66, y: -30, scale: 0.94 }) +
    disc('1f434', '#c4163a', { x: -2, y: 50, scale: 1.14 }),
  caro,
};
