/** A wordless mark for each vendor. The vendors are invented, and so are the marks. */
import type { Vendor } from './catalogue.ts';
import type { Picture } from './picture.ts';
import { glint, linear, n, polar, polygon, svg, times } from './svg.ts';

interface Mark {
  from: string;
  to: string;
  /** White on the ground, in a box of 96. */
  shape: string;
}

const fill = (path: string, opacity = 1): string =>
  `<path d="${path}" fill="#fff" opacity="${opacity}"/>`;
const line = (path: string, width = 6): string =>
  `<path d="${path}" fill="none" stroke="#fff" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

const starOf = (points: number, outer: number, inner: number): string =>
  polygon(
    Array.from({ length: points * 2 }, (_, i) =>
      polar(48, 48, i % 2 === 0 ? outer : inner, (i * 180) / points - 90),
    ),
  );

const seats = times(6, (i) => {
  const [x, y] = polar(48, 48, 31, i * 60 - 90);
  return `<circle cx="${n(x)}" cy="${n(y)}" r="6.5" fill="#fff"/>`;
});

const MARKS: Record<string, Mark> = {
  EG3: {
    from: '#1fa463',
    to: '#0a5b45',
    shape: fill('M48 14L68 42H58L74 64H54V80H42V64H22L38 42H28Z'),
  },
  PG: {
    from: '#ff7eb0',
    to: '#b52a78',
    shape:
      fill('M16 40L50 52L36 80Z', 0.8) +
      fill('M50 52L80 18L54 74L40 66Z') +
      fill('M16 40L34 30L58 42L50 52Z', 0.65),
  },
  FC: {
    from: '#ff8a3d',
    to: '#c42a1c',
    shape:
      '<circle cx="60" cy="36" r="17" fill="#fff"/>' + line('M43 46L18 76M55 56L38 78M38 36L22 50'),
  },
  JL: {
    from: '#2fc49a',
    to: '#0b6b6b',
    shape:
      fill('M34 26H62V32H34ZM30 36H66Q76 48 66 60H30Q20 48 30 36ZM34 64H62V70H34Z') +
      line('M48 14V24M48 72V84', 4),
  },
  HOUSE: {
    from: '#ffc247',
    to: '#e07a12',
    shape: glint(46, 50, 34) + '<circle cx="72" cy="24" r="7" fill="#fff"/>',
  },
  MAY: {
    from: '#ff9ad0',
    to: '#9a5cf0',
    shape: fill('M30 70A16 16 0 0 1 28 38A21 21 0 0 1 66 34A18 18 0 0 1 68 70Z'),
  },
  KOI: {
    from: '#ff6b5c',
    to: '#b51f4a',
    shape:
      fill('M16 48C28 24 56 24 66 44L82 30V66L66 52C56 72 28 72 16 48Z') +
      '<circle cx="34" cy="43" r="4.5" fill="#b51f4a"/>',
  },
  TBR: {
    from: '#f0a04a',
    to: '#8c3d1c',
    shape:
      '<ellipse cx="48" cy="34" rx="28" ry="11" fill="#fff"/>' +
      fill('M20 40C20 48 34 52 48 52S76 48 76 40V62C76 72 62 76 48 76S20 72 20 62Z', 0.85) +
      line('M30 20L44 32M66 20L52 32', 4),
  },
  LUX: {
    from: '#d83a62',
    to: '#5a0a2c',
    shape: fill('M18 18H78V26H18ZM20 28H44C44 48 36 60 22 72H20ZM76 28H52C52 48 60 60 74 72H76Z'),
  },
  NOX: {
    from: '#5a5cf0',
    to: '#171450',
    shape: fill('M60 16A33 33 0 1 0 80 62A27 27 0 0 1 60 16Z') + glint(70, 34, 10),
  },
  SAO: { from: '#4a8cff', to: '#1c2f9a', shape: fill(starOf(8, 34, 16)) },
  BAN: {
    from: '#18a0a8',
    to: '#0a4a6b',
    shape: `${seats}<circle cx="48" cy="48" r="17" fill="none" stroke="#fff" stroke-width="6"/>`,
  },
  TCG_LOTTO_VN: {
    from: '#ff4a4a',
    to: '#a8102c',
    shape:
      '<circle cx="48" cy="32" r="15" fill="#fff"/><circle cx="31" cy="60" r="15" fill="#fff" opacity=".85"/><circle cx="65" cy="60" r="15" fill="#fff" opacity=".7"/>',
  },
  TCG_SEA: {
    from: '#2fb6e8',
    to: '#0a4a9a',
    shape: line('M16 40Q26 26 36 40T56 40T76 40', 7) + line('M20 58Q30 44 40 58T60 58T80 58', 7),
  },
  LOTT: {
    from: '#8a5cf0',
    to: '#3d1a8c',
    shape: `<circle cx="48" cy="48" r="30" fill="#fff"/><path d="${starOf(5, 17, 7.6)}" fill="#6a3ad0"/>`,
  },
  ELOTT: {
    from: '#ffb02e',
    to: '#c4440c',
    shape:
      '<circle cx="48" cy="48" r="30" fill="#fff"/><path d="M54 24L34 52H46L42 72L62 44H50Z" fill="#e0700f"/>',
  },
  PSD: {
    from: '#3dbf5a',
    to: '#0a6b3a',
    shape:
      line('M20 24H76V72H20ZM48 24V72', 5) +
      '<circle cx="48" cy="48" r="11" fill="none" stroke="#fff" stroke-width="5"/>',
  },
  SV3: { from: '#a8b8d8', to: '#4a5c8c', shape: fill('M14 28H32L48 58L64 28H82L54 76H42Z') },
  IMES: {
    from: '#c97a4a',
    to: '#5c2a2a',
    shape:
      fill('M30 26H66L70 40H26Z') +
      fill('M24 44H72L76 58H20Z', 0.85) +
      fill('M18 62H78L82 74H14Z', 0.7),
  },
  AV: {
    from: '#ff4ad0',
    to: '#4a1fd2',
    shape: fill('M48 16L80 76H64L48 46L32 76H16Z') + fill('M48 56L58 76H38Z', 0.75),
  },
};

function draw({ from, to, shape }: Mark): string {
  return svg(
    96,
    96,
    `<defs>${linear(
      'ground',
      [0.1, 0],
      [0.8, 1],
      [
        [0, from],
        [1, to],
      ],
    )}</defs><rect width="96" height="96" rx="26" fill="url(#ground)"/><path d="M26 1.5H70A24.5 24.5 0 0 1 94.5 26" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2"/>${shape}`,
  );
}

export const vendorPictures = (vendors: readonly Vendor[]): Picture[] =>
  vendors.map(({ code }) => {
    const mark = MARKS[code];
    if (!mark) throw new Error(`vendor ${code} has no mark`);
    // Bitmaps: two dozen vector images on one screen are slow on a phone.
    return { file: `art/vendors/${code}.webp`, svg: draw(mark) };
  });
