import { SUITS } from '../motif/suit.ts';
import type { Tone } from '../palette.ts';
/** Scenes where games are played: felt, boards, pitches and arenas. */
import type { Random } from '../random.ts';
import { alpha, n, polygon, times } from '../svg.ts';
import { sunburst, type Scene } from './open.ts';

const beams = (draw: Random, tone: Tone, opacity: number): string =>
  `<g filter="url(#soft)" opacity="${opacity}">${[70, 180, 290]
    .map((x) => {
      const lean = (180 - x) * draw.range(0.4, 0.8);
      return `<path d="${polygon([
        [x - 10, -10],
        [x + 10, -10],
        [x + lean + 84, 400],
        [x + lean - 84, 400],
      ])}" fill="${tone.glow}"/>`;
    })
    .join('')}</g>`;

/** Floodlights: two banks of lamps and the air they light up. */
const lamps = (y: number): string =>
  [58, 302]
    .map((x) => {
      const bulbs = times(
        6,
        (i) => `<circle cx="${(i % 3) * 17 - 17}" cy="${Math.floor(i / 3) * 17}" r="7"/>`,
      );
      const air = [64, 44, 28]
        .map((radius) => `<circle cy="8" r="${radius}" opacity=".13"/>`)
        .join('');
      return `<g transform="translate(${x} ${y})" fill="#fff">${air}${bulbs}</g>`;
    })
    .join('');

const table: Scene = (draw, tone) =>
  beams(draw, tone, 0.16) +
  times(
    9,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(0, 150))}" r="${n(draw.range(6, 20))}" fill="${draw.pick([tone.glow, tone.side])}" opacity="${alpha(draw.range(0.08, 0.26))}"/>`,
  ) +
  `<ellipse cx="180" cy="430" rx="330" ry="196" fill="${tone.deep}" opacity=".65"/><ellipse cx="180" cy="438" rx="318" ry="184" fill="${tone.body}"/><ellipse cx="180" cy="438" rx="318" ry="184" fill="none" stroke="${tone.glow}" stroke-opacity=".65" stroke-width="3"/><ellipse cx="180" cy="446" rx="276" ry="148" fill="none" stroke="${tone.glow}" stroke-opacity=".32" stroke-width="2"/>`;

const suits: Scene = (draw, tone) => {
  const names = ['spade', 'heart', 'diamond', 'club'] as const;
  const shift = draw.int(0, 3);
  let marks = '';
  for (let y = 0; y < 9; y++) {
    for (let x = 0; x < 7; x++) {
      const suit = names[(x + y + shift) % 4] ?? 'spade';
      marks += `<path transform="translate(${x * 62 + (y % 2) * 31 - 8} ${y * 50 + 8}) rotate(-14) scale(.23)" d="${SUITS[suit].path}"/>`;
    }
  }
  return `${sunburst(draw, tone, 0.3)}<g fill="${tone.glow}" opacity=".15">${marks}</g>`;
};

const weave: Scene = (draw, tone) => {
  const step = draw.pick([34, 40, 46]);
  const strands = times(26, (i) => {
    const x = i * step - 480;
    return `<path d="M${x} -10l500 500M${x + 480} -10l-500 500"/>`;
  });
  return `${sunburst(draw, tone, 0.3)}<g stroke="${tone.glow}" stroke-opacity=".15" stroke-width="9" fill="none">${strands}</g>`;
};

/** A checkered floor that runs away to a horizon behind the motif. */
const board: Scene = (draw, tone) => {
  const horizon = 236;
  let tiles = '';
  const rows = 7;
  const depth = (row: number): number => horizon + 262 * (row / rows) ** 1.7;
  for (let row = 0; row < rows; row++) {
    for (let column = -8; column < 8; column++) {
      if ((row + column) % 2 !== 0) continue;
      const spread = (y: number, c: number): number => 180 + c * (16 + (y - horizon) * 0.34);
      const top = depth(row);
      const bottom = depth(row + 1);
      tiles += polygon([
        [spread(top, column), top],
        [spread(top, column + 1), top],
        [spread(bottom, column + 1), bottom],
        [spread(bottom, column), bottom],
      ]);
    }
  }
  return `${sunburst(draw, tone, 0.4)}<path d="M-10 ${horizon}H370V490H-10Z" fill="${tone.deep}" opacity=".4"/><path d="${tiles}" fill="${tone.glow}" opacity=".24"/><path d="M-10 ${horizon}H370" stroke="${tone.glow}" stroke-opacity=".5" stroke-width="2"/>`;
};

const pitch: Scene = (draw, tone) => {
  const horizon = 208;
  const stripes = times(9, (i) => {
    const x = i - 4.5;
    return i % 2 === 0
      ? polygon([
          [180 + x * 46, horizon],
          [180 + (x + 1) * 46, horizon],
          [180 + (x + 1) * 150, 490],
          [180 + x * 150, 490],
        ])
      : '';
  });
  const crowd = times(
    90,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(120, horizon - 6))}" r="${n(draw.range(1.6, 3.6))}" fill="${draw.pick(['#fff', tone.glow, tone.side, '#ffd84d'])}" opacity="${alpha(draw.range(0.2, 0.6))}"/>`,
  );
  return (
    sunburst(draw, tone, 0.26) +
    `<path d="M-10 112Q180 88 370 112V${horizon}H-10Z" fill="${tone.deep}" opacity=".6"/>${crowd}` +
    `<path d="M-10 ${horizon}H370V490H-10Z" fill="${tone.body}"/><path d="${stripes}" fill="#fff" opacity=".12"/>` +
    `<g fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3"><path d="M-10 ${horizon + 2}H370"/><ellipse cx="180" cy="352" rx="150" ry="52"/><path d="M-20 326H380"/></g>` +
    lamps(62)
  );
};

const court: Scene = (draw, tone) =>
  sunburst(draw, tone, 0.36) +
  `<path d="M70 250H290L420 490H-60Z" fill="${tone.side}" opacity=".3"/><g fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="3"><path d="M70 250H290L420 490H-60ZM180 250V490M24 340H336"/><ellipse cx="180" cy="340" rx="78" ry="26"/></g>` +
  lamps(62) +
  times(
    10,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(90, 240))}" r="${n(draw.range(1.4, 3.6))}" fill="${tone.glow}" opacity="${alpha(draw.range(0.4, 0.9))}"/>`,
  );

const ring: Scene = (draw, tone) =>
  beams(draw, tone, 0.2) +
  times(
    70,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(90, 210))}" r="${n(draw.range(2, 4))}" fill="${draw.pick(['#fff', tone.glow, tone.side])}" opacity="${alpha(draw.range(0.15, 0.45))}"/>`,
  ) +
  `<path d="M-10 300L180 268L370 300V490H-10Z" fill="${tone.side}" opacity=".4"/><g fill="none" stroke-width="8" stroke-linecap="round"><path d="M-10 208H370" stroke="#fff" stroke-opacity=".75"/><path d="M-10 240H370" stroke="${tone.glow}" stroke-opacity=".75"/><path d="M-10 272H370" stroke="#fff" stroke-opacity=".75"/></g><path d="M20 184h22v132H20ZM318 184h22v132h-22Z" fill="${tone.deep}" opacity=".85"/>` +
  lamps(58);

const hex: Scene = (draw, tone) => {
  let cells = '';
  for (let y = 0; y < 11; y++) {
    for (let x = 0; x < 8; x++) {
      const lit = draw.range(0, 1);
      const fill =
        lit > 0.84
          ? `fill="${draw.pick([tone.glow, tone.side])}" fill-opacity=".34"`
          : 'fill="none"';
      cells += `<path transform="translate(${x * 54 + (y % 2) * 27} ${y * 47})" d="M0-27L23.4-13.5V13.5L0 27L-23.4 13.5V-13.5Z" ${fill} stroke="${tone.glow}" stroke-opacity="${alpha(0.1 + lit * 0.22)}" stroke-width="1.6"/>`;
    }
  }
  const arc = (radius: number, width: number, dash: string): string =>
    `<circle cx="180" cy="190" r="${radius}" fill="none" stroke="${tone.glow}" stroke-opacity=".6" stroke-width="${width}" stroke-dasharray="${dash}" transform="rotate(${n(draw.range(0, 360))} 180 190)"/>`;
  return cells + arc(138, 5, '150 64 40 30') + arc(156, 2, '60 40');
};

/** A neon floor under a rising sun. */
const grid: Scene = (draw, tone) => {
  const horizon = 270;
  const lines = times(19, (i) => `M180 ${horizon}L${(i - 9) * 120 + 180} 490`);
  const rows = times(8, (i) => `M-10 ${n(horizon + 220 * ((i + 1) / 8) ** 1.8)}H370`);
  const bars = times(
    5,
    (i) =>
      `<rect x="40" y="${n(196 + i * 17)}" width="280" height="${n(3 + i * 1.8)}" fill="${tone.deep}" opacity=".7"/>`,
  );
  return (
    times(
      30,
      () =>
        `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(0, 250))}" r="${n(draw.range(0.8, 2.2))}" fill="#fff" opacity="${alpha(draw.range(0.3, 0.9))}"/>`,
    ) +
    `<circle cx="180" cy="180" r="132" fill="${tone.side}" opacity=".5"/>${bars}` +
    `<path d="M-10 ${horizon}H370V490H-10Z" fill="${tone.deep}" opacity=".75"/><path d="${lines}${rows}M-10 ${horizon}H370" fill="none" stroke="${tone.glow}" stroke-opacity=".55" stroke-width="2"/>`
  );
};

export const playScenes: Record<string, Scene> = {
  table,
  suits,
  weave,
  board,
  pitch,
  court,
  ring,
  hex,
  grid,
};
