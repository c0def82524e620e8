import type { Tone } from '../palette.ts';
/** Scenes of light and air, with no objects except the motif. */
import type { Random } from '../random.ts';
import { alpha, glint, n, polar, polygon, radial, times } from '../svg.ts';

export type Scene = (draw: Random, tone: Tone) => string;

const CENTRE = [180, 190] as const;

/** A fan of light that fades outwards; many scenes lay a faint one under their own shapes. */
export function sunburst(draw: Random, tone: Tone, strength: number): string {
  const count = draw.pick([14, 16, 18, 22]);
  const start = draw.range(0, 24);
  const step = 360 / count;
  const wedges = times(count, (i) => {
    const from = start + i * step;
    return polygon([
      CENTRE,
      polar(...CENTRE, 480, from),
      polar(...CENTRE, 480, from + step * draw.range(0.42, 0.56)),
    ]);
  });
  const fade = radial(
    'burst',
    CENTRE,
    380,
    [
      [0, tone.glow, strength],
      [0.45, tone.glow, strength * 0.5],
      [1, tone.glow, 0],
    ],
    'userSpaceOnUse',
  );
  return `<defs>${fade}</defs><path d="${wedges}" fill="url(#burst)"/>`;
}

const rays: Scene = (draw, tone) =>
  sunburst(draw, tone, 0.62) +
  times(
    2,
    (i) =>
      `<circle cx="180" cy="190" r="${n(138 + i * 34)}" fill="none" stroke="${tone.glow}" stroke-opacity="${0.3 - i * 0.12}" stroke-width="${3 - i}" stroke-dasharray="${i === 0 ? '2 12' : 'none'}" stroke-linecap="round"/>`,
  );

const mist = (id: string, colour: string): string =>
  radial(id, [0.5, 0.5], 0.5, [
    [0, colour, 0.5],
    [1, colour, 0],
  ]);

const stars: Scene = (draw, tone) => {
  const clouds = times(
    5,
    () =>
      `<ellipse cx="${n(draw.range(20, 340))}" cy="${n(draw.range(20, 340))}" rx="${n(draw.range(110, 190))}" ry="${n(draw.range(50, 90))}" transform="rotate(${n(draw.range(-36, 6))} 180 190)" fill="url(#${draw.pick(['mist', 'haze'])})"/>`,
  );
  const dust = times(
    70,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(0, 380))}" r="${n(draw.range(0.6, 2.1))}" fill="#fff" opacity="${alpha(draw.range(0.3, 0.95))}"/>`,
  );
  const bright = times(6, () =>
    glint(draw.range(16, 344), draw.range(16, 330), draw.range(5, 12), '#fff', 0.85),
  );
  const orbit = `<g transform="rotate(${n(draw.range(-28, -14))} 180 195)" fill="none" stroke="${tone.glow}"><ellipse cx="180" cy="195" rx="176" ry="62" stroke-opacity=".5" stroke-width="2"/><ellipse cx="180" cy="195" rx="216" ry="82" stroke-opacity=".22" stroke-width="1.5"/></g>`;
  return (
    `<defs>${mist('mist', tone.side)}${mist('haze', tone.glow)}</defs>` +
    clouds +
    dust +
    bright +
    orbit
  );
};

/** One bank of round-headed cloud. */
function bank(draw: Random, y: number, height: number): string {
  let x = -50;
  let path = `M-60 500V${n(y)}`;
  while (x < 420) {
    const width = draw.range(52, 104);
    path += `a${n(width / 2)} ${n(draw.range(height * 0.6, height))} 0 0 1 ${n(width)} 0`;
    x += width;
  }
  return `${path}V500Z`;
}

const clouds: Scene = (draw, tone) => {
  const curl = (x: number, y: number, size: number, flip: number): string =>
    `<g transform="translate(${n(x)} ${n(y)}) scale(${n(size * flip)} ${n(size)})" fill="none" stroke="${tone.glow}" stroke-width="5" stroke-linecap="round" opacity=".36"><path d="M60 12H6a14 14 0 1 1 12-21 20 20 0 0 1 38-2 13 13 0 1 1 2 25"/><path d="M14-2a6 6 0 1 0-6 7M40-2a8 8 0 1 1 8 8" stroke-width="3.4"/></g>`;
  return (
    sunburst(draw, tone, 0.42) +
    curl(16, draw.range(66, 104), 1, 1) +
    curl(344, draw.range(96, 150), 1, -1) +
    curl(-26, draw.range(196, 236), 1.2, 1) +
    curl(392, draw.range(214, 256), 1.2, -1) +
    `<path d="${bank(draw, 336, 54)}" fill="${tone.side}" opacity=".4"/><path d="${bank(draw, 366, 48)}" fill="${tone.glow}" opacity=".34"/><path d="${bank(draw, 398, 40)}" fill="${tone.body}" opacity=".8"/>`
  );
};

const bokeh: Scene = (draw, tone) =>
  sunburst(draw, tone, 0.2) +
  times(
    22,
    (i) =>
      `<circle cx="${n(draw.range(-10, 370))}" cy="${n(draw.range(-10, 380))}" r="${n(draw.range(8, 34))}" fill="${draw.pick([tone.glow, tone.side, '#ffffff'])}" opacity="${alpha(draw.range(0.1, 0.34))}"${i % 3 === 0 ? ' filter="url(#soft)"' : ''}/>`,
  ) +
  times(12, () =>
    glint(draw.range(10, 350), draw.range(10, 340), draw.range(3, 8), tone.glow, 0.8),
  );

const confetti: Scene = (draw, tone) => {
  const colours = [tone.glow, tone.side, '#ffffff', '#ffd84d', '#6cf0c2', '#ff7eb6'];
  const swirl = times(7, (i) => {
    const from = draw.range(0, 14) + i * 51.4;
    const [x1, y1] = polar(...CENTRE, 440, from);
    const [x2, y2] = polar(...CENTRE, 440, from + 25.7);
    const [c1, d1] = polar(...CENTRE, 200, from + 46);
    const [c2, d2] = polar(...CENTRE, 200, from + 72);
    return `M180 190Q${n(c1)} ${n(d1)} ${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}Q${n(c2)} ${n(d2)} 180 190Z`;
  });
  const sprinkles = times(34, () => {
    const x = draw.range(0, 360);
    const y = draw.range(0, 370);
    return `<rect x="-9" y="-3" width="18" height="6" rx="3" transform="translate(${n(x)} ${n(y)}) rotate(${n(draw.range(0, 180))}) scale(${n(draw.range(0.5, 1.1))})" fill="${draw.pick(colours)}" opacity="${alpha(draw.range(0.4, 0.85))}"/>`;
  });
  return `<path d="${swirl}" fill="${tone.glow}" opacity=".2"/>${sprinkles}`;
};

const sparks: Scene = (draw, tone) => {
  const streak = times(16, () => {
    const x = draw.range(-60, 380);
    const y = draw.range(-20, 330);
    const length = draw.range(50, 160);
    return `<path d="M${n(x)} ${n(y)}l${n(length)} ${n(-length * 0.55)}" stroke="${draw.pick([tone.glow, tone.side, '#fff'])}" stroke-width="${n(draw.range(1, 4.5))}" stroke-linecap="round" opacity="${alpha(draw.range(0.16, 0.5))}"/>`;
  });
  const embers = times(
    34,
    () =>
      `<circle cx="${n(draw.range(0, 360))}" cy="${n(draw.range(30, 400))}" r="${n(draw.range(1, 4))}" fill="${tone.glow}" opacity="${alpha(draw.range(0.3, 0.95))}"/>`,
  );
  return sunburst(draw, tone, 0.3) + streak + embers;
};

export const openScenes: Record<string, Scene> = { rays, stars, clouds, bokeh, confetti, sparks };
