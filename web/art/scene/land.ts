/** Scenes with ground under the motif: hills, leaves, stone, stage. */
import type { Random } from '../random.ts';
import { alpha, n, polygon, times, type Point } from '../svg.ts';
import type { Scene } from './open.ts';
import { sunburst } from './open.ts';

/** A ridge from edge to edge, as straight crags or as soft hills. */
function ridge(draw: Random, y: number, swing: number, count: number, soft: boolean): string {
  const step = 400 / count;
  let path = `M-20 500V${n(y)}`;
  let last: Point = [-20, y];
  for (let i = 1; i <= count; i++) {
    const next: Point = [-20 + i * step, y + draw.range(-swing, swing) * (i % 2 === 0 ? 0.4 : 1)];
    path += soft
      ? `C${n(last[0] + step / 2)} ${n(last[1])} ${n(next[0] - step / 2)} ${n(next[1])} ${n(next[0])} ${n(next[1])}`
      : `L${n(next[0])} ${n(next[1])}`;
    last = next;
  }
  return `${path}V500Z`;
}

const disc = (fill: string, y: number, radius: number): string =>
  `<circle cx="180" cy="${n(y)}" r="${n(radius + 26)}" fill="${fill}" opacity=".16"/><circle cx="180" cy="${n(y)}" r="${n(radius)}" fill="${fill}" opacity=".5"/>`;

const dunes: Scene = (draw, tone) =>
  sunburst(draw, tone, 0.26) +
  disc(tone.glow, draw.range(168, 186), draw.range(118, 136)) +
  `<path d="${ridge(draw, 300, 30, 3, true)}" fill="${tone.side}" opacity=".42"/>` +
  `<path d="${ridge(draw, 334, 24, 3, true)}" fill="${tone.body}"/>` +
  `<path d="${ridge(draw, 374, 20, 4, true)}" fill="${tone.deep}" opacity=".7"/>`;

const peaks: Scene = (draw, tone) => {
  const moonX = draw.range(84, 276);
  const snow = times(
    26,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(0, 330))}" r="${n(draw.range(1, 3.4))}" fill="#fff" opacity="${alpha(draw.range(0.25, 0.8))}"/>`,
  );
  return (
    `<circle cx="${n(moonX)}" cy="104" r="96" fill="${tone.glow}" opacity=".2"/><circle cx="${n(moonX)}" cy="104" r="66" fill="${tone.glow}" opacity=".45"/>` +
    `<path d="${ridge(draw, 262, 62, 7, false)}" fill="${tone.side}" opacity=".34"/>` +
    `<path d="${ridge(draw, 312, 48, 9, false)}" fill="${tone.body}"/>` +
    `<path d="${ridge(draw, 366, 26, 11, false)}" fill="${tone.deep}" opacity=".75"/>` +
    snow
  );
};

const LEAF =
  'M0 0C26-34 30-92 0-150C-30-92-26-34 0 0ZM0-8V-128M0-30L16-52M0-30L-16-52M0-62L18-86M0-62L-18-86';

const leaves: Scene = (draw, tone) => {
  const spray = (
    x: number,
    y: number,
    towards: number,
    count: number,
    fill: string,
    opacity: number,
  ): string =>
    times(count, (i) => {
      const turn = towards + (i - (count - 1) / 2) * 30 + draw.range(-7, 7);
      const size = draw.range(0.85, 1.3);
      return `<path d="${LEAF}" transform="translate(${n(x)} ${n(y)}) rotate(${n(turn)}) scale(${n(size)})" fill="${fill}" stroke="${tone.glow}" stroke-opacity=".28" stroke-width="1.6" opacity="${opacity}"/>`;
    });
  return (
    sunburst(draw, tone, 0.4) +
    spray(-14, draw.range(-8, 20), 128, 4, tone.body, 0.75) +
    spray(374, draw.range(-8, 20), 232, 4, tone.body, 0.75) +
    spray(-16, draw.range(320, 350), 48, 4, tone.deep, 0.85) +
    spray(376, draw.range(320, 350), 312, 4, tone.deep, 0.85) +
    times(
      14,
      () =>
        `<circle cx="${n(draw.range(20, 340))}" cy="${n(draw.range(20, 340))}" r="${n(draw.range(1.4, 4))}" fill="${tone.glow}" opacity="${alpha(draw.range(0.35, 0.9))}"/>`,
    )
  );
};

const arch = (inset: number, fill: string, opacity: number): string =>
  `<path fill-rule="evenodd" d="M-10-10H370V490H-10ZM${n(inset)} 490V${n(150 + inset * 0.3)}A${n(180 - inset)} ${n(180 - inset * 0.9)} 0 0 1 ${n(360 - inset)} ${n(150 + inset * 0.3)}V490Z" fill="${fill}" opacity="${opacity}"/>`;

const arches: Scene = (draw, tone) => {
  const column = (x: number): string =>
    `<g fill="${tone.glow}" opacity=".3"><rect x="${n(x)}" y="150" width="7" height="260" rx="3.5"/><rect x="${n(x + 12)}" y="150" width="4" height="260" rx="2"/></g>`;
  const shaft = draw.range(60, 130);
  return (
    sunburst(draw, tone, 0.34) +
    `<path d="${polygon([
      [shaft, -10],
      [shaft + 66, -10],
      [shaft + 190, 420],
      [shaft - 20, 420],
    ])}" fill="#fff" opacity=".1"/>` +
    arch(46, tone.body, 0.55) +
    arch(24, tone.deep, 0.6) +
    column(8) +
    column(336) +
    `<path d="M-10 388H370V490H-10Z" fill="${tone.deep}" opacity=".6"/><path d="M-10 386H370" stroke="${tone.glow}" stroke-opacity=".4" stroke-width="2.5"/>`
  );
};

const waves: Scene = (draw, tone) => {
  const swell = (y: number, lift: number, fill: string, opacity: number): string => {
    const shift = draw.range(-60, 0);
    const crest = times(6, () => `q22 ${n(-lift)} 44 0t44 0`);
    return `<path d="M${n(shift - 20)} ${n(y)}${crest}V500H-80Z" fill="${fill}" opacity="${opacity}"/>`;
  };
  return (
    sunburst(draw, tone, 0.36) +
    disc(tone.glow, 176, draw.range(100, 120)) +
    swell(284, 18, tone.side, 0.4) +
    swell(316, 20, tone.body, 0.9) +
    swell(348, 18, tone.side, 0.35) +
    swell(380, 16, tone.deep, 0.7) +
    times(
      12,
      () =>
        `<path d="M${n(draw.range(0, 330))} ${n(draw.range(300, 380))}h${n(draw.range(10, 34))}" stroke="${tone.glow}" stroke-opacity=".5" stroke-width="2.4" stroke-linecap="round"/>`,
    )
  );
};

const curtain: Scene = (draw, tone) => {
  const folds = (from: number, direction: number): string =>
    times(5, (i) => {
      const x = from + direction * i * 21;
      const sway = direction * (58 - i * 13);
      return `<path d="M${n(x)} -10C${n(x + direction * 20)} 140 ${n(x + direction * 8)} 250 ${n(x - sway * 0.5)} 430H${n(x - sway * 0.5 - direction * 30)}C${n(x - direction * 14)} 250 ${n(x - direction * 2)} 120 ${n(x - direction * 22)} -10Z" fill="${i % 2 === 0 ? tone.deep : tone.body}" opacity="${i % 2 === 0 ? 0.75 : 0.9}"/>`;
    });
  const beam = (x: number, lean: number): string =>
    `<path d="${polygon([
      [x - 14, -10],
      [x + 14, -10],
      [x + lean + 92, 400],
      [x + lean - 92, 400],
    ])}" fill="${tone.glow}" opacity=".17"/>`;
  const swags = times(
    5,
    (i) =>
      `<path d="M${i * 80 - 30} -10Q${i * 80 + 10} 66 ${i * 80 + 50} -10Z" fill="${tone.body}" stroke="${tone.glow}" stroke-opacity=".5" stroke-width="2.5"/>`,
  );
  return (
    beam(96, draw.range(50, 84)) +
    beam(264, draw.range(-84, -50)) +
    folds(0, 1) +
    folds(360, -1) +
    swags +
    `<ellipse cx="180" cy="372" rx="150" ry="34" fill="${tone.glow}" opacity=".3"/>`
  );
};

const facets: Scene = (draw, tone) => {
  const columns = 6;
  const rows = 7;
  const at = Array.from({ length: rows + 1 }, (_, y) =>
    Array.from({ length: columns + 1 }, (_unused, x): Point => [
      x * 72 - 36 + draw.range(-24, 24),
      y * 66 - 30 + draw.range(-22, 22),
    ]),
  );
  let out = '';
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const corners = [at[y]?.[x], at[y]?.[x + 1], at[y + 1]?.[x + 1], at[y + 1]?.[x]];
      const [a, b, c, d] = corners;
      if (!a || !b || !c || !d) continue;
      for (const triangle of [
        [a, b, c],
        [a, c, d],
      ]) {
        out += `<path d="${polygon(triangle)}" fill="${draw.pick([tone.glow, tone.side, '#ffffff', tone.deep])}" opacity="${alpha(draw.range(0, 0.3))}"/>`;
      }
    }
  }
  return out + sunburst(draw, tone, 0.3);
};

export const landScenes: Record<string, Scene> = {
  dunes,
  peaks,
  leaves,
  arches,
  waves,
  curtain,
  facets,
};
