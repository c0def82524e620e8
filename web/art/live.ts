/** Cards of open live tables: felt on the start side for text, the game at the end. */
import { motif, motifDefs } from './motif/motif.ts';
import { tone } from './palette.ts';
import type { Picture } from './picture.ts';
import { random, seedOf } from './random.ts';
import { alpha, blur, glint, linear, n, radial, svg, times } from './svg.ts';

const WIDTH = 516;
const HEIGHT = 312;

const TABLES = [
  { name: 'baccarat', family: 'velvet', motif: 'drawn/baccarat' },
  { name: 'sicbo', family: 'emerald', motif: 'drawn/dice' },
  { name: 'roulette', family: 'noir', motif: 'drawn/roulette' },
  { name: 'dragontiger', family: 'royal', motif: 'drawn/dragontiger' },
  { name: 'xocdia', family: 'amber', motif: 'drawn/bowl' },
] as const;

function card({ name, family, motif: code }: (typeof TABLES)[number]): string {
  const draw = random(seedOf(`live ${name}`));
  const { deep, body, glow, side } = tone(family);
  const defs = `<defs>${
    linear(
      'felt',
      [0, 0],
      [1, 1],
      [
        [0, deep],
        [0.55, body],
        [1, deep],
      ],
    ) +
    radial(
      'halo',
      [404, 176],
      250,
      [
        [0, glow, 0.85],
        [0.45, glow, 0.3],
        [1, glow, 0],
      ],
      'userSpaceOnUse',
    ) +
    linear(
      'calm',
      [0, 0],
      [1, 0],
      [
        [0, deep, 0.85],
        [0.6, deep, 0],
      ],
    ) +
    motifDefs +
    blur('soft', 3)
  }<filter id="lift" x="-20%" y="-20%" width="140%" height="150%" color-interpolation-filters="sRGB"><feDropShadow dx="0" dy="12" stdDeviation="10" flood-color="${deep}" flood-opacity=".9"/></filter></defs>`;
  const lights = times(
    9,
    () =>
      `<circle cx="${n(draw.range(180, 516))}" cy="${n(draw.range(0, 150))}" r="${n(draw.range(6, 26))}" fill="${draw.pick([glow, side])}" opacity="${alpha(draw.range(0.1, 0.28))}"/>`,
  );
  const arcs = times(
    3,
    (i) =>
      `<ellipse cx="404" cy="352" rx="${250 + i * 62}" ry="${130 + i * 40}" fill="none" stroke="${glow}" stroke-opacity="${alpha(0.4 - i * 0.11)}" stroke-width="2.5"/>`,
  );
  const glints = times(5, () =>
    glint(draw.range(250, 500), draw.range(20, 220), draw.range(5, 11)),
  );
  return svg(
    WIDTH,
    HEIGHT,
    `${defs}<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#felt)"/>${lights}${arcs}<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#halo)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#calm)"/><g filter="url(#lift)"><g transform="translate(398 182) rotate(-4)">${motif(code, seedOf(name), 268)}</g></g>${glints}`,
  );
}

export const livePictures = (): Picture[] =>
  TABLES.map((table) => ({
    file: `art/live/${table.name}.webp`,
    svg: card(table),
    budget: 15_000,
  }));
