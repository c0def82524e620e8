/**
 * A game's tile: scene, light, satellites, motif, and a scrim at the bottom for the game's name.
 * There is no lettering in the art, so one tile serves every language.
 */
import type { GameArt } from './catalogue.ts';
import { isDrawn, motif, motifDefs } from './motif/motif.ts';
import { tone, type Tone } from './palette.ts';
import { random, type Random } from './random.ts';
import { scene } from './scene/scene.ts';
import { blur, emoji, glint, linear, n, radial, svg, TILE } from './svg.ts';

const { width, height } = TILE;
const CX = 180;
const CY = 191;

/** A shadow and a rim of light. Filters use sRGB: it looks the same and takes half the time. */
const lift = (id: string, drop: number, aura: number, deep: string, glow: string): string =>
  `<filter id="${id}" x="-16%" y="-14%" width="132%" height="134%" color-interpolation-filters="sRGB"><feGaussianBlur in="SourceAlpha" stdDeviation="${drop}" result="far"/><feOffset in="far" dy="${drop * 1.3}" result="drop"/><feFlood flood-color="${deep}" flood-opacity=".85"/><feComposite in2="drop" operator="in" result="shade"/><feGaussianBlur in="SourceAlpha" stdDeviation="${aura}" result="aura"/><feFlood flood-color="${glow}"/><feComposite in2="aura" operator="in" result="shine"/><feMerge><feMergeNode in="shade"/><feMergeNode in="shine"/><feMergeNode in="SourceGraphic"/></feMerge></filter>`;

function defs({ deep, body, glow, side }: Tone, lit: 'left' | 'right'): string {
  const x = lit === 'left' ? 0.12 : 0.88;
  return `<defs>${
    linear(
      'base',
      [0.2, 0],
      [0.7, 1],
      [
        [0, body],
        [0.55, body],
        [1, deep],
      ],
    ) +
    radial('edge', [0.5, 0.38], 0.74, [
      [0.45, deep, 0],
      [0.8, deep, 0.42],
      [1, deep, 0.86],
    ]) +
    radial('halo', [0.5, 0.4], 0.46, [
      [0, glow, 0.95],
      [0.35, glow, 0.5],
      [0.7, glow, 0.12],
      [1, glow, 0],
    ]) +
    radial('sidelight', [x, 0.06], 0.62, [
      [0, side, 0.75],
      [1, side, 0],
    ]) +
    linear(
      'scrim',
      [0, 0],
      [0, 1],
      [
        [0, deep, 0],
        [0.34, deep, 0.62],
        [0.68, deep, 0.94],
        [1, '#04030c', 0.96],
      ],
    ) +
    linear(
      'crown',
      [0, 0],
      [0, 1],
      [
        [0, deep, 0.6],
        [1, deep, 0],
      ],
    ) +
    linear(
      'rim',
      [0, 0],
      [0, 1],
      [
        [0, '#ffffff', 0.75],
        [0.3, '#ffffff', 0.14],
        [0.75, glow, 0.12],
        [1, glow, 0.55],
      ],
    ) +
    motifDefs +
    radial('ember', [0.5, 0.5], 0.5, [
      [0, glow, 0.3],
      [1, glow, 0],
    ]) +
    blur('soft', 3.2)
  }${lift('lift', 10, 6, deep, glow)}${lift('float', 6, 3, deep, glow)}</defs>`;
}

interface Spot {
  x: number;
  y: number;
  size: number;
  turn: number;
  /** Far satellites are small and blurred; near ones overlap the motif's edge. */
  far: boolean;
}

const SPOTS: readonly Spot[] = [
  { x: 54, y: 108, size: 74, turn: -16, far: true },
  { x: 310, y: 120, size: 66, turn: 15, far: true },
  { x: 52, y: 292, size: 88, turn: 13, far: false },
  { x: 310, y: 298, size: 94, turn: -12, far: false },
];

/** Drawn motifs fill the whole area, so satellites stay in the corners. */
const CORNERS: readonly Spot[] = [
  { x: 36, y: 96, size: 58, turn: -16, far: true },
  { x: 326, y: 102, size: 56, turn: 15, far: true },
  { x: 38, y: 322, size: 62, turn: 13, far: false },
  { x: 324, y: 326, size: 66, turn: -12, far: false },
];

function satellites(
  { motif: name, satellites: codes }: GameArt,
  draw: Random,
  far: boolean,
  shift: number,
): string {
  const spots = isDrawn(name) ? CORNERS : SPOTS;
  return spots
    .filter((spot) => spot.far === far)
    .map((spot) => {
      const code = codes[(spots.indexOf(spot) + shift) % codes.length];
      if (code === undefined) return '';
      const x = spot.x + draw.range(-12, 12);
      const y = spot.y + draw.range(-16, 16);
      const size = spot.size * draw.range(0.86, 1.16);
      const drawn = emoji(code, x, y, size, spot.turn + draw.range(-12, 12));
      return far
        ? `<g opacity=".86" filter="url(#soft)">${drawn}</g>`
        : `<g filter="url(#float)">${drawn}</g>`;
    })
    .join('');
}

const foot = (): string =>
  `<rect y="300" width="${width}" height="180" fill="url(#scrim)"/><ellipse cx="${CX}" cy="484" rx="210" ry="66" fill="url(#ember)"/>`;

/** The rim: a crisp line over two wider, fainter ones. */
const frame = (): string =>
  [
    [9, 0.16],
    [5, 0.3],
    [2.4, 1],
  ]
    .map(
      ([stroke = 0, opacity = 0]) =>
        `<rect x="${n(stroke / 2)}" y="${n(stroke / 2)}" width="${n(width - stroke)}" height="${n(height - stroke)}" rx="${n(46 - stroke / 2)}" fill="none" stroke="url(#rim)" stroke-width="${stroke}" opacity="${opacity}"/>`,
    )
    .join('');

/** The tile of one game, as SVG text of 360 by 480. */
export function tile(art: GameArt): string {
  const draw = random(art.seed);
  const colours = tone(art.family, draw.range(-9, 9));
  const lit = draw.pick(['left', 'right'] as const);
  const size = isDrawn(art.motif) ? 268 : 254;
  const lean = isDrawn(art.motif) ? draw.range(-3, 3) : draw.range(-7, 7);
  const shift = draw.int(0, 3);
  const glints = Array.from({ length: draw.int(5, 8) }, () =>
    glint(draw.range(20, 340), draw.range(30, 318), draw.range(4, 12), '#fff', 0.9),
  ).join('');
  return svg(
    width,
    height,
    defs(colours, lit) +
      `<rect width="${width}" height="${height}" fill="url(#base)"/>` +
      scene(art.scene)(draw, colours) +
      `<rect width="${width}" height="${height}" fill="url(#edge)"/><rect width="${width}" height="${height}" fill="url(#sidelight)"/><rect width="${width}" height="${height}" fill="url(#halo)"/>` +
      satellites(art, draw, true, shift) +
      `<ellipse cx="${CX}" cy="332" rx="104" ry="20" fill="${colours.deep}" opacity=".55" filter="url(#soft)"/>` +
      `<g filter="url(#lift)"><g transform="translate(${CX} ${n(CY + draw.range(-4, 4))}) rotate(${n(lean)})">${motif(art.motif, art.seed, size)}</g></g>` +
      satellites(art, draw, false, shift) +
      glints +
      `<rect width="${width}" height="96" fill="url(#crown)"/>` +
      foot() +
      frame(),
  );
}
