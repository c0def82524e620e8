import type { Tone } from '../palette.ts';
/** Scenes under and at the water, for fishing games. */
import type { Random } from '../random.ts';
import { alpha, n, polygon, times } from '../svg.ts';
import { sunburst, type Scene } from './open.ts';

const lightBeams = (draw: Random, opacity: number): string => {
  const beams = times(5, (i) => {
    const x = -30 + i * 84 + draw.range(-18, 18);
    const width = draw.range(18, 46);
    const lean = draw.range(20, 80);
    return `<path d="${polygon([
      [x, -10],
      [x + width, -10],
      [x + width * 2 + lean, 400],
      [x + lean - width, 400],
    ])}" fill="#fff" opacity="${alpha(draw.range(opacity * 0.5, opacity))}"/>`;
  });
  return `<g filter="url(#soft)">${beams}</g>`;
};

const bubbles = (draw: Random, tone: Tone, count: number): string =>
  times(count, () => {
    const radius = draw.range(2.5, 13);
    const x = draw.range(6, 354);
    const y = draw.range(10, 380);
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${tone.glow}" fill-opacity=".14" stroke="#fff" stroke-opacity=".45" stroke-width="1.4"/><circle cx="${n(x - radius * 0.35)}" cy="${n(y - radius * 0.35)}" r="${n(radius * 0.24)}" fill="#fff" opacity=".8"/>`;
  });

/** A frond that sways from the sea bed. */
const weed = (draw: Random, x: number, height: number, fill: string, opacity: number): string => {
  const sway = draw.range(-26, 26);
  return `<path d="M${n(x)} 420C${n(x + sway)} ${n(420 - height * 0.35)} ${n(x - sway)} ${n(420 - height * 0.7)} ${n(x + sway * 0.5)} ${n(420 - height)}C${n(x - sway + 15)} ${n(420 - height * 0.66)} ${n(x + sway + 15)} ${n(420 - height * 0.33)} ${n(x + 17)} 420Z" fill="${fill}" opacity="${opacity}"/>`;
};

/** A branching coral, drawn as round-ended strokes. */
const coral = (x: number, size: number, stroke: string, flip: number): string =>
  `<g transform="translate(${n(x)} 420) scale(${n(size * flip)} ${n(size)})" fill="none" stroke="${stroke}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"><path d="M0 0V-46Q0-62-16-74V-98M0-30Q26-40 26-66V-84M-4-54Q10-76 4-108M26-58Q44-66 46-88"/></g>`;

const floor = (draw: Random, tone: Tone): string =>
  times(4, () => weed(draw, draw.range(-10, 90), draw.range(90, 190), tone.side, 0.4)) +
  times(4, () => weed(draw, draw.range(270, 360), draw.range(90, 190), tone.side, 0.4)) +
  coral(draw.range(24, 56), draw.range(0.9, 1.25), tone.side, 1) +
  coral(draw.range(304, 336), draw.range(0.9, 1.25), tone.glow, -1) +
  `<path d="M-10 404Q90 372 190 400T370 396V490H-10Z" fill="${tone.deep}" opacity=".8"/>`;

const reef: Scene = (draw, tone) =>
  sunburst(draw, tone, 0.24) + lightBeams(draw, 0.2) + floor(draw, tone) + bubbles(draw, tone, 20);

/** A shoal swims behind the motif, far off. */
const shoal = (draw: Random, tone: Tone): string => {
  const heading = draw.chance(0.5) ? 1 : -1;
  return times(14, () => {
    const size = draw.range(0.5, 1.15);
    return `<path d="M0 0C8-8 22-8 30 0C22 8 8 8 0 0ZM2 0L-9-7V7Z" transform="translate(${n(draw.range(10, 350))} ${n(draw.range(30, 330))}) scale(${n(size * heading)} ${n(size)})" fill="${tone.glow}" opacity="${alpha(draw.range(0.14, 0.4))}"/>`;
  });
};

const abyss: Scene = (draw, tone) =>
  lightBeams(draw, 0.12) +
  shoal(draw, tone) +
  times(
    36,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(0, 400))}" r="${n(draw.range(0.8, 2.6))}" fill="${draw.pick([tone.glow, tone.side])}" opacity="${alpha(draw.range(0.35, 0.95))}"/>`,
  ) +
  `<path d="M-10 372L40 330L78 372L120 346L166 392L230 356L270 384L318 334L370 372V490H-10Z" fill="${tone.deep}" opacity=".7"/>` +
  bubbles(draw, tone, 12);

const shore: Scene = (draw, tone) => {
  const crest = (y: number, fill: string, opacity: number): string =>
    `<path d="M${n(draw.range(-60, -10))} ${n(y)}${times(6, () => 'q20-16 40 0t40 0')}V500H-60Z" fill="${fill}" opacity="${opacity}"/>`;
  return (
    sunburst(draw, tone, 0.44) +
    `<circle cx="180" cy="180" r="128" fill="${tone.glow}" opacity=".3"/>` +
    crest(246, tone.side, 0.35) +
    crest(282, tone.body, 0.9) +
    crest(322, tone.side, 0.3) +
    crest(356, tone.deep, 0.6) +
    bubbles(draw, tone, 12)
  );
};

export const seaScenes: Record<string, Scene> = { reef, abyss, shore };
