/**
 * Home's banners: art at the end side, a calm gradient for text at the start side. Each is composed once per direction, because
 * mirroring the picture would mirror its digits.
 */
import { smallBanner, smallBannerWidth } from '../src/lib/banner-art.ts';
import { motif, motifDefs } from './motif/motif.ts';
import type { Picture } from './picture.ts';
import { random, seedOf, type Random } from './random.ts';
import { alpha, blur, emoji, glint, linear, n, polar, polygon, radial, svg, times } from './svg.ts';

const WIDTH = 1080;
const HEIGHT = 464;
const CY = 222;

/** The art's position in each direction, and how x coordinates map to it. */
const DIRECTIONS = {
  ltr: { suffix: '', across: (x: number): number => x },
  rtl: { suffix: '-rtl', across: (x: number): number => WIDTH - x },
} as const;

type Direction = keyof typeof DIRECTIONS;

interface Banner {
  name: string;
  /** Gradient colours from the text's side to the art's side. */
  ground: readonly [string, string, string];
  glow: string;
  motif: string;
  /** Emoji around the motif, from the upper end round to the lower end. */
  around: readonly string[];
}

const BANNERS: readonly Banner[] = [
  {
    name: 'trial',
    ground: ['#23157a', '#5636e6', '#b44df0'],
    glow: '#ffc46b',
    motif: '1f3b0',
    around: ['1f48e', '2b50', '1fa99', '1f352'],
  },
  {
    name: 'fairness',
    ground: ['#04343f', '#0a7f86', '#23c09a'],
    glow: '#d8ff9a',
    motif: '2696-fe0f',
    around: ['1f510', '1f3b2', '2728', '1f50d'],
  },
  {
    name: 'lottery',
    ground: ['#5a0618', '#c41d33', '#ff7a3d'],
    glow: '#ffdf7a',
    motif: 'drawn/drum',
    around: ['2b50', '1f31f', '1fa99', '1f39f-fe0f'],
  },
  {
    name: 'limits',
    ground: ['#0b1f5e', '#2159d6', '#4fb0f5'],
    glow: '#d6fbff',
    motif: '1f6e1-fe0f',
    around: ['23f3', '1f33f', '23f0', '1fab7'],
  },
  {
    name: 'rebate',
    ground: ['#2a1a8c', '#5a3bea', '#b04df0'],
    glow: '#ffc45c',
    motif: '1f3c6',
    around: ['1f48e', '1fa99', '1fa99', '2b50'],
  },
  {
    name: 'live',
    ground: ['#3b0518', '#9c1238', '#e2506a'],
    glow: '#ffcf8a',
    motif: 'drawn/roulette',
    around: ['1f3b2', '1f48e', '1fa99', '1f451'],
  },
  {
    name: 'fishing',
    ground: ['#03184e', '#0a5fc8', '#22b6dc'],
    glow: '#a8fff0',
    motif: '1f988',
    around: ['1f420', '1f421', '1fa99', '1f531'],
  },
  {
    name: 'sports',
    ground: ['#04301a', '#0f8a46', '#5cc04a'],
    glow: '#f2ff9a',
    motif: '26bd',
    around: ['1f3c6', '1f945', '1f4e3', '1f3be'],
  },
];

const SPOTS = [
  { x: 1004, y: 104, size: 128, turn: 14 },
  { x: 600, y: 108, size: 96, turn: -16 },
  { x: 588, y: 332, size: 124, turn: 12 },
  { x: 1010, y: 356, size: 138, turn: -10 },
] as const;

function rays(draw: Random, cx: number): string {
  const count = 20;
  const start = draw.range(0, 18);
  return times(count, (i) => {
    const from = start + (i * 360) / count;
    return polygon([[cx, CY], polar(cx, CY, 1100, from), polar(cx, CY, 1100, from + 8.6)]);
  });
}

function banner(
  { name, ground: [start, middle, end], glow, motif: code, around }: Banner,
  direction: Direction,
): string {
  const { across } = DIRECTIONS[direction];
  const cx = across(806);
  const [from, to] = direction === 'ltr' ? [0, 1] : [1, 0];
  const draw = random(seedOf(`banner ${name}`));
  const defs = `<defs>${
    linear(
      'ground',
      [from, 0.1],
      [to, 0.75],
      [
        [0, start],
        [0.5, middle],
        [1, end],
      ],
    ) +
    radial(
      'halo',
      [cx, CY],
      420,
      [
        [0, glow, 0.92],
        [0.4, glow, 0.42],
        [1, glow, 0],
      ],
      'userSpaceOnUse',
    ) +
    radial(
      'ray',
      [cx, CY],
      760,
      [
        [0, '#fff', 0.34],
        [0.5, '#fff', 0.12],
        [1, '#fff', 0],
      ],
      'userSpaceOnUse',
    ) +
    linear(
      'calm',
      [from, 0],
      [to, 0],
      [
        [0, start, 0.9],
        [0.34, start, 0.5],
        [0.62, start, 0],
      ],
    ) +
    radial('shade', [0.5, 0.5], 0.5, [
      [0, start, 0.75],
      [0.5, start, 0.4],
      [1, start, 0],
    ]) +
    motifDefs +
    blur('soft', 2.6)
  }<filter id="lift" x="-20%" y="-20%" width="140%" height="150%" color-interpolation-filters="sRGB"><feGaussianBlur in="SourceAlpha" stdDeviation="16" result="far"/><feOffset in="far" dy="20" result="drop"/><feFlood flood-color="${start}" flood-opacity=".8"/><feComposite in2="drop" operator="in" result="shade"/><feGaussianBlur in="SourceAlpha" stdDeviation="9" result="aura"/><feFlood flood-color="${glow}" flood-opacity=".9"/><feComposite in2="aura" operator="in" result="shine"/><feMerge><feMergeNode in="shade"/><feMergeNode in="shine"/><feMergeNode in="SourceGraphic"/></feMerge></filter></defs>`;
  const dust = times(
    26,
    () =>
      `<circle cx="${n(across(draw.range(420, 1080)))}" cy="${n(draw.range(0, HEIGHT))}" r="${n(draw.range(2, 6))}" fill="${glow}" opacity="${alpha(draw.range(0.25, 0.8))}"/>`,
  );
  const floating = SPOTS.map((spot, i) => {
    const drawn = emoji(
      around[i] ?? '2b50',
      across(spot.x),
      spot.y,
      spot.size,
      spot.turn + draw.range(-6, 6),
    );
    return i === 1
      ? `<g filter="url(#soft)" opacity=".9">${drawn}</g>`
      : `<g filter="url(#lift)">${drawn}</g>`;
  });
  const glints = times(9, () =>
    glint(across(draw.range(500, 1060)), draw.range(20, 440), draw.range(7, 20), '#fff', 0.92),
  );
  return svg(
    WIDTH,
    HEIGHT,
    `${defs}<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#ground)"/><path d="${rays(draw, cx)}" fill="url(#ray)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#halo)"/><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#calm)"/>${dust}${floating.slice(0, 2).join('')}<ellipse cx="${cx}" cy="416" rx="236" ry="44" fill="url(#shade)"/><g filter="url(#lift)"><g transform="translate(${cx} ${CY + 4}) rotate(${n(draw.range(-4, 4))})">${motif(code, seedOf(name), 356)}</g></g>${floating.slice(2).join('')}${glints}`,
  );
}

/** The first banner is part of the first screen, so its budget is smaller. */
const BUDGET = 44_000;
const SMALL_BUDGET = 26_000;

export const bannerPictures = (): Picture[] =>
  BANNERS.flatMap((each) =>
    (['ltr', 'rtl'] as const).map((direction) => ({
      file: `art/banners/${each.name}${DIRECTIONS[direction].suffix}.webp`,
      svg: banner(each, direction),
      budget: BUDGET,
      small: {
        file: smallBanner(`art/banners/${each.name}${DIRECTIONS[direction].suffix}.webp`),
        width: smallBannerWidth,
        budget: SMALL_BUDGET,
      },
    })),
  );
