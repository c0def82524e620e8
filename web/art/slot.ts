/** The pictures of the House's slots: per theme an atlas of symbols and the stage around the reels. */
import { type ThemedSymbol, type Theme, themes } from '../house/slot/themes.ts';
import {
  atlasSize,
  type Frame,
  glowMargin,
  effects,
  blurredFrame,
  symbolFrame,
  type SymbolName,
  symbols,
} from '../src/lib/slot-atlas.ts';
import { glyphs } from './motif/glyph.ts';
import type { Picture } from './picture.ts';
import { random, seedOf } from './random.ts';
import { blur, emoji, glint, linear, n, place, polar, polygon, radial, svg, times } from './svg.ts';

/** Letter colours: light, body and shadow. */
const LETTERS: Partial<Record<SymbolName, readonly [light: string, body: string, side: string]>> = {
  A: ['#ffc2cf', '#ff3f67', '#7d0f2e'],
  K: ['#d9ccff', '#8660ff', '#34179a'],
  Q: ['#c4ecff', '#2f9cff', '#0b3f94'],
  J: ['#bdffdc', '#1dbf7c', '#065a40'],
  '10': ['#ffe6b0', '#ff9a2a', '#8a3c04'],
};

const defs =
  blur('soft', 5) +
  `<filter id="run" x="-40%" y="-60%" width="180%" height="220%"><feGaussianBlur stdDeviation="1.2 17"/></filter>` +
  `<filter id="halo" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="9"/></filter>` +
  linear(
    'gold',
    [0, 0],
    [0, 1],
    [
      [0, '#fff6d0'],
      [0.35, '#ffd262'],
      [0.7, '#ff9a1f'],
      [1, '#b8620a'],
    ],
  ) +
  radial('hot', [0.5, 0.42], 0.72, [
    [0, '#ffe391'],
    [0.5, '#f67d20'],
    [1, '#a3182b'],
  ]) +
  radial('cold', [0.5, 0.42], 0.72, [
    [0, '#c1a8ff'],
    [0.5, '#5c31e4'],
    [1, '#240a80'],
  ]) +
  radial('spark', [0.5, 0.5], 0.5, [
    [0, '#ffffff'],
    [0.3, '#ffe9a8', 0.95],
    [1, '#ffb03a', 0],
  ]) +
  linear(
    'beam',
    [0, 0],
    [0, 1],
    [
      [0, '#ff9a1a', 0],
      [0.3, '#ff9a1a', 0.42],
      [0.4, '#ffd76a'],
      [0.5, '#fffbe6'],
      [0.6, '#ffd76a'],
      [0.7, '#ff9a1a', 0.42],
      [1, '#ff9a1a', 0],
    ],
  );

const centreOf = ({ x, y, width, height }: Frame): readonly [number, number] => [
  x + width / 2,
  y + height / 2,
];

/** A letter cut out of thick board: its side first, then a bright edge, then its face. */
function letter(name: SymbolName, tones: readonly [string, string, string]): string {
  const [light, body, side] = tones;
  // Two digits share the width that a letter has alone.
  const size = name.length > 1 ? 80 : 94;
  const face = `face${name}`;
  const ink = (colour: string, y: number, width: number): string =>
    glyphs(name, 0, y, size, colour).replace('stroke-width="2.5"', `stroke-width="${width}"`);
  return (
    `<defs>${linear(
      face,
      [0, 0],
      [0, 14],
      [
        [0, light],
        [0.5, body],
        [1, body],
      ],
      'userSpaceOnUse',
    )}</defs>` +
    times(6, (i) => ink(side, 12 - i * 2, 5.6)) +
    ink('#ffe3a0', -2, 5.6) +
    ink(`url(#${face})`, -2, 4)
  );
}

function symbol(name: SymbolName, theme: Theme): string {
  const tones = LETTERS[name];
  if (tones) return letter(name, tones);
  const code = theme.symbols[name as ThemedSymbol];
  const size = name === 'scatter' ? 126 : 142;
  const shade = `<ellipse cy="66" rx="46" ry="9" fill="#12000c" opacity=".5" filter="url(#soft)"/>`;
  return shade + emoji(code, 0, -2, size);
}

function glow({ x, y, width, height }: Frame, fill: string, light: string): string {
  const at = `x="${x + glowMargin}" y="${y + glowMargin}" width="${width - 2 * glowMargin}" height="${height - 2 * glowMargin}" rx="28"`;
  return (
    `<rect ${at} fill="${light}" stroke="${light}" stroke-width="10" filter="url(#halo)" opacity=".95"/>` +
    `<rect ${at} fill="url(#${fill})" stroke="#ffe9a8" stroke-width="6"/>` +
    `<rect x="${x + glowMargin + 7}" y="${y + glowMargin + 6}" width="${width - 2 * glowMargin - 14}" height="34" rx="17" fill="#fff" opacity=".18"/>`
  );
}

function atlas(theme: Theme): string {
  const resting = symbols.map((name) => {
    const [x, y] = centreOf(symbolFrame(name));
    return place(symbol(name, theme), { x, y });
  });
  const running = symbols.map((name) => {
    const [x, y] = centreOf(blurredFrame(name));
    const streak = `<g filter="url(#run)" opacity=".92">${symbol(name, theme)}</g>`;
    return place(streak, { x, y, scale: 1, scaleY: 1.18 });
  });
  const { coin, glint: star, spark, beam, bead } = effects;
  const [coinX, coinY] = centreOf(coin);
  const [starX, starY] = centreOf(star);
  const [sparkX, sparkY] = centreOf(spark);
  const [beadX, beadY] = centreOf(bead);
  return svg(
    atlasSize.width,
    atlasSize.height,
    `<defs>${defs}</defs>${resting.join('')}${running.join('')}` +
      glow(effects.glow, 'hot', '#ffb03c') +
      glow(effects.wildGlow, 'cold', '#9a6cff') +
      emoji('1fa99', coinX, coinY, 90) +
      glint(starX, starY, 30, '#fff3c4') +
      `<circle cx="${sparkX}" cy="${sparkY}" r="23" fill="url(#spark)"/>` +
      `<rect x="${beam.x}" y="${beam.y}" width="${beam.width}" height="${beam.height}" fill="url(#beam)"/>` +
      `<circle cx="${beadX}" cy="${beadY}" r="20" fill="url(#spark)"/>`,
  );
}

/** Sun rays behind the hero. They end inside the picture. */
function rays(): string {
  const centre = 480;
  const edge = (degrees: number) => polar(centre, centre, 520, degrees);
  const wedge = (i: number): string =>
    polygon([[centre, centre], edge(i * 15 + 4), edge(i * 15 + 11)]);
  return svg(
    400,
    400,
    `<defs>${radial('fade', [0.5, 0.5], 0.5, [
      [0, '#fff'],
      [0.35, '#fff', 0.75],
      [1, '#fff', 0],
    ])}<mask id="round"><circle cx="480" cy="480" r="480" fill="url(#fade)"/></mask></defs>` +
      `<g mask="url(#round)" fill="#ffd678" opacity=".27">${times(24, (i) => `<path d="${wedge(i)}"/>`)}</g>`,
    '0 0 960 960',
  );
}

function cloud(x: number, y: number, scale: number, opacity: number): string {
  return place(
    `<g fill="none" stroke="#ffd58a" stroke-opacity="${opacity}" stroke-width="3" stroke-linecap="round"><path d="M-72 20H58a18 18 0 1 0-15-28a26 26 0 0 0-49-5a20 20 0 0 0-31 14a12 12 0 1 0-7 19M40 2a9 9 0 1 1 9 10M-6 0a12 12 0 1 1 14 8M-40 8a7 7 0 1 1 6 6"/></g>`,
    { x, y, scale },
  );
}

/** Lanterns hang on a cord; other themes' ornaments float. */
function ornament(code: string, x: number, y: number, size: number, opacity: number): string {
  const cord =
    code === '1f3ee'
      ? `<path d="M${x} -10V${y - size * 0.42}" stroke="#5c1408" stroke-width="3"/>`
      : '';
  return `<g opacity="${opacity}">${cord}${emoji(code, x, y, size)}</g>`;
}

/** The hero above the reels with its ornaments, drawn at twice the display size. */
function hero({ hero: figure, sides, flying }: Theme): string {
  const draw = random(seedOf(figure));
  const coins: readonly (readonly [number, number, number, number])[] = [
    [202, 118, 68, -18],
    [584, 132, 52, 20],
    [146, 184, 38, 30],
    [656, 190, 36, -30],
  ];
  const halo = radial('sun', [0.5, 0.5], 0.5, [
    [0, '#fff2b8', 0.95],
    [0.4, '#ffb24a', 0.55],
    [1, '#ff7a2a', 0],
  ]);
  return svg(
    780,
    300,
    `<defs>${halo}${blur('drop', 8)}</defs>` +
      cloud(104, 252, 1.2, 0.5) +
      cloud(688, 236, 1.1, 0.5) +
      `<circle cx="394" cy="140" r="150" fill="url(#sun)"/>` +
      ornament(sides, 134, 52, 62, 0.8) +
      ornament(sides, 646, 52, 62, 0.8) +
      ornament(sides, 62, 84, 96, 1) +
      ornament(sides, 718, 84, 96, 1) +
      coins.map(([x, y, size, turn]) => emoji(flying, x, y, size, turn)).join('') +
      times(9, () =>
        glint(
          draw.range(150, 630),
          draw.range(16, 200),
          draw.range(4, 10),
          '#fff0c0',
          draw.range(0.5, 0.95),
        ),
      ) +
      `<ellipse cx="394" cy="262" rx="96" ry="14" fill="#3a0010" opacity=".55" filter="url(#drop)"/>` +
      emoji(figure, 396, 134, 262),
  );
}

/** The outline of the title's plate, from its upper edge to `bottom`. */
const shapes: Record<Theme['crest'], (bottom: number) => string> = {
  roof: (bottom) =>
    `M0 76C72 116 148 80 208 28H572C632 80 708 116 780 76C752 ${bottom - 20} 700 ${bottom} 644 ${bottom}H136C80 ${bottom} 28 ${bottom - 20} 0 76Z`,
  ribbon: (bottom) =>
    `M14 62L120 66C160 40 200 32 240 32H540C580 32 620 40 660 66L766 62L728 104L766 ${bottom}L640 ${bottom - 6}H140L14 ${bottom}L52 104Z`,
  wave: (bottom) =>
    `M0 92C40 40 96 44 128 76C160 104 196 92 216 56C240 22 300 24 336 40H444C480 24 540 22 564 56C584 92 620 104 652 76C684 44 740 40 780 92V${bottom}H0Z`,
  steps: (bottom) => `M20 ${bottom}V108H84V82H148V56H212V32H568V56H632V82H696V108H760V${bottom}Z`,
};

/** Lines across a roof of tiles; elsewhere a sheen. */
function grain(kind: Theme['crest'], side: string): string {
  if (kind === 'roof') {
    const tiles = times(17, (i) => `<path d="M${n(216 + i * 21.8)} 34L${n(144 + i * 30.8)} 128"/>`);
    return `<g stroke="${side}" stroke-opacity=".6" stroke-width="6">${tiles}</g>`;
  }
  if (kind === 'steps') {
    return `<g stroke="${side}" stroke-opacity=".5" stroke-width="4"><path d="M212 56H568M148 82H632M84 108H696"/></g>`;
  }
  return '<path d="M150 52C260 38 520 38 630 52" stroke="#fff" stroke-opacity=".35" stroke-width="7" fill="none" stroke-linecap="round"/>';
}

function crest({ crest: kind, crestTones: [light, dark, side] }: Theme): string {
  const outline = shapes[kind];
  const rim =
    kind === 'roof'
      ? `<path d="M0 76C28 128 80 146 136 146H644C700 146 752 128 780 76C744 112 696 124 644 124H136C84 124 36 112 0 76Z" fill="url(#rim)"/><rect x="196" y="16" width="388" height="18" rx="9" fill="url(#rim)"/>`
      : `<path d="${outline(134)}" fill="none" stroke="url(#rim)" stroke-width="7" stroke-linejoin="round"/>`;
  return svg(
    780,
    150,
    `<defs>${linear(
      'face',
      [0, 0],
      [0, 1],
      [
        [0, light],
        [1, dark],
      ],
    )}${linear(
      'rim',
      [0, 0],
      [0, 1],
      [
        [0, '#fff0b8'],
        [0.4, '#ffc54d'],
        [1, '#b8690c'],
      ],
    )}</defs><path d="${outline(146)}" fill="${side}"/><path d="${outline(134)}" fill="url(#face)"/>` +
      grain(kind, side) +
      rim,
  );
}

const themePictures = ([name, theme]: [string, Theme]): Picture[] => [
  { file: `art/house/${name}/symbols.webp`, svg: atlas(theme), budget: 190_000 },
  { file: `art/house/${name}/hero.webp`, svg: hero(theme), budget: 60_000 },
  { file: `art/house/${name}/crest.webp`, svg: crest(theme), budget: 20_000 },
];

export const slotPictures = (): Picture[] => [
  { file: 'art/house/rays.webp', svg: rays(), budget: 24_000 },
  ...Object.entries(themes).flatMap(themePictures),
];
