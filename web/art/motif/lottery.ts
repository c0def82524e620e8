/** Lottery balls and what holds them. */
import type { Random } from '../random.ts';
import { emoji, glint, n, place, polar, times } from '../svg.ts';
import { glyphs } from './glyph.ts';

const HUES = ['#ff3d57', '#ffbf2e', '#22b573', '#2f9bff', '#a35cff', '#ff8136'] as const;

const two = (draw: Random): string => String(draw.int(0, 99)).padStart(2, '0');

function ball(x: number, y: number, radius: number, hue: string, text: string): string {
  return `<g transform="translate(${n(x)} ${n(y)})"><circle r="${n(radius)}" fill="${hue}"/><circle cx="${n(radius * 0.04)}" cy="${n(radius * 0.02)}" r="${n(radius * 0.58)}" fill="#fff"/>${glyphs(text, radius * 0.04, radius * 0.02, radius * 0.56, '#1d1638')}<circle r="${n(radius)}" fill="url(#ball)"/><ellipse cx="${n(-radius * 0.34)}" cy="${n(-radius * 0.52)}" rx="${n(radius * 0.3)}" ry="${n(radius * 0.16)}" transform="rotate(-32)" fill="#fff" opacity=".7"/></g>`;
}

const hues = (draw: Random): string[] => draw.shuffle(HUES);

function cluster(draw: Random): string {
  const colours = hues(draw);
  const count = draw.int(5, 7);
  const start = draw.range(0, 360);
  const around = times(count, (i) => {
    const [x, y] = polar(0, 0, 92, start + (i * 360) / count);
    return ball(x, y * 0.92, draw.range(36, 44), colours[(i % 5) + 1] ?? '#fff', two(draw));
  });
  return around + ball(0, 0, 68, colours[0] ?? '#fff', two(draw));
}

function drum(draw: Random): string {
  const colours = hues(draw);
  const spots = draw.shuffle([
    [-48, 34],
    [0, 48],
    [50, 34],
    [-66, -4],
    [66, -2],
    [-26, -2],
    [28, 2],
    [-8, -44],
    [40, -44],
    [-48, -46],
  ] as const);
  const inside = spots
    .slice(0, draw.int(8, 10))
    .map(([x, y], i) => ball(x, y - 14, draw.range(25, 29), colours[i % 6] ?? '#fff', two(draw)))
    .join('');
  return (
    `<ellipse cy="116" rx="104" ry="20" fill="#000" opacity=".4" filter="url(#near)"/><path d="M-84 112L-52 60H52L84 112Q0 128-84 112Z" fill="url(#brass)"/><path d="M-84 112L-52 60H52L84 112Q0 128-84 112Z" fill="url(#barrel)"/>` +
    `<circle cy="-14" r="108" fill="#fff" opacity=".16"/><circle cy="-14" r="108" fill="none" stroke="url(#brass)" stroke-width="9"/>${inside}` +
    `<path d="M-82-52A92 92 0 0 1-20-106Q-62-88-72-44Z" fill="#fff" opacity=".55"/><path d="M84 26A92 92 0 0 1 40 74Q70 60 76 20Z" fill="#fff" opacity=".3"/><circle cy="-14" r="104" fill="url(#sheen)" opacity=".35"/>` +
    ball(0, 96, 30, '#ffbf2e', two(draw))
  );
}

const paper = (fill: string, at: { x: number; y: number; turn: number }, digits: string): string =>
  place(
    `<path d="M-110-58H110Q122-58 122-46V-16A16 16 0 0 0 122 16V46Q122 58 110 58H-110Q-122 58-122 46V16A16 16 0 0 0-122-16V-46Q-122-58-110-58Z" transform="translate(0 8)" fill="#000" opacity=".34" filter="url(#near)"/><path d="M-110-58H110Q122-58 122-46V-16A16 16 0 0 0 122 16V46Q122 58 110 58H-110Q-122 58-122 46V16A16 16 0 0 0-122-16V-46Q-122-58-110-58Z" fill="${fill}"/><rect x="-98" y="-44" width="150" height="88" rx="12" fill="#fff" opacity=".94"/>${glyphs(digits, -23, -10, 38, '#1d1638')}<path d="M-78 24H32" stroke="${fill}" stroke-width="7" stroke-linecap="round" stroke-dasharray="2 13"/><path d="M68-50V50" stroke="#fff" stroke-width="4" stroke-dasharray="8 8"/>${glint(95, 0, 19, '#fff')}<path d="M-110-58H110Q122-58 122-46V-16A16 16 0 0 0 122 16V46Q122 58 110 58H-110Q-122 58-122 46V16A16 16 0 0 0-122-16V-46Q-122-58-110-58Z" fill="url(#sheen)" opacity=".5"/>`,
    at,
  );

function ticket(draw: Random): string {
  const colour = draw.pick(HUES);
  const colours = hues(draw);
  return (
    paper(
      draw.pick(HUES.filter((hue) => hue !== colour)),
      { x: 12, y: -46, turn: draw.range(8, 16) },
      `${two(draw)}${two(draw)}`,
    ) +
    paper(colour, { x: -4, y: 14, turn: draw.range(-12, -6) }, `${two(draw)}${two(draw)}`) +
    ball(-78, 88, 36, colours[0] ?? '#fff', two(draw)) +
    ball(-2, 100, 40, colours[1] ?? '#fff', two(draw)) +
    ball(78, 84, 38, colours[2] ?? '#fff', two(draw))
  );
}

function pyramid(draw: Random): string {
  const colours = hues(draw);
  let index = 0;
  return [1, 2, 3]
    .map((count, level) =>
      times(count, (i) => {
        const colour = colours[index++ % 6] ?? '#fff';
        return ball((i - (count - 1) / 2) * 82, level * 70 - 74, 43, colour, two(draw));
      }),
    )
    .join('');
}

function row(draw: Random): string {
  const colours = hues(draw);
  const lift = draw.pick([-1, 1]);
  const balls = times(5, (i) => {
    const from = i - 2;
    return ball(
      from * 54,
      lift * from * from * 9 - 20 * lift,
      39 + (2 - Math.abs(from)) * 4,
      colours[i] ?? '#fff',
      String(draw.int(0, 9)),
    );
  });
  return `<path d="M-132 ${n(64 + lift * 14)}Q0 ${n(64 - lift * 30)} 132 ${n(64 + lift * 14)}" fill="none" stroke="url(#brass)" stroke-width="16" stroke-linecap="round"/>${balls}`;
}

function keno(draw: Random): string {
  const colours = hues(draw);
  const lit = new Set(draw.shuffle(Array.from({ length: 25 }, (_, i) => i)).slice(0, 8));
  const cells = times(25, (i) => {
    const x = (i % 5) * 44 - 108;
    const y = Math.floor(i / 5) * 44 - 116;
    const on = lit.has(i);
    return `<rect x="${x}" y="${y}" width="40" height="40" rx="11" fill="${on ? '#ffd24a' : '#ffffff'}" fill-opacity="${on ? 1 : 0.22}" stroke="#fff" stroke-opacity="${on ? 0.9 : 0.35}" stroke-width="2"/>${on ? glint(x + 20, y + 20, 13, '#8a3a00') : `<circle cx="${x + 20}" cy="${y + 20}" r="5" fill="#fff" opacity=".5"/>`}`;
  });
  return (
    `<g transform="rotate(${n(draw.range(-7, -3))})"><rect x="-122" y="-122" width="244" height="234" rx="26" fill="#000" opacity=".35" filter="url(#near)" transform="translate(0 8)"/><rect x="-122" y="-130" width="244" height="244" rx="26" fill="#1b1446" stroke="url(#brass)" stroke-width="6"/>${cells}</g>` +
    ball(-82, 88, 42, colours[0] ?? '#fff', two(draw)) +
    ball(80, 78, 48, colours[1] ?? '#fff', two(draw))
  );
}

/** Two racers of one kind, each with its ball; the nearer one leads. */
const race =
  (code: string): ((draw: Random) => string) =>
  (draw) => {
    const colours = hues(draw);
    const racer = (x: number, y: number, size: number, hue: string): string => {
      const wind = times(
        3,
        (i) =>
          `<path d="M${n(x + size * 0.4)} ${n(y - size * 0.16 + i * size * 0.17)}h${n(size * (0.5 - i * 0.1))}" stroke="#fff" stroke-opacity=".5" stroke-width="${n(size * 0.035)}" stroke-linecap="round"/>`,
      );
      return `${wind}<ellipse cx="${n(x)}" cy="${n(y + size * 0.36)}" rx="${n(size * 0.46)}" ry="${n(size * 0.07)}" fill="#000" opacity=".35" filter="url(#near)"/>${emoji(code, x, y, size)}${ball(x + size * 0.54, y + size * 0.24, size * 0.15, hue, String(draw.int(1, 9)))}`;
    };
    return (
      racer(draw.range(10, 24), -74, 150, colours[0] ?? '#fff') +
      racer(draw.range(-40, -28), 36, 204, colours[1] ?? '#fff')
    );
  };

export const lotteryMotifs: Record<string, (draw: Random) => string> = {
  balls: cluster,
  drum,
  ticket,
  pyramid,
  row,
  keno,
  cars: race('1f3ce-fe0f'),
  boats: race('1f6a4'),
  horses: race('1f40e'),
};
