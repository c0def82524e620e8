/** Live table equipment: dice, wheels, bowls and chips. */
import type { Random } from '../random.ts';
import { emoji, glint, n, place, polar, times, type Placement } from '../svg.ts';
import { back, face } from './card.ts';
import { CHIP_COLOURS, chip, stack } from './chip.ts';

const PIPS: Record<number, readonly (readonly [number, number])[]> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};

export const pips = (value: number, spread: number, radius: number, colour: string): string =>
  (PIPS[value] ?? [])
    .map(
      ([x, y]) =>
        `<circle cx="${n(x * spread)}" cy="${n(y * spread)}" r="${n(radius)}" fill="${colour}"/>`,
    )
    .join('');

interface Finish {
  top: string;
  left: string;
  right: string;
  pip: string;
  /** One and four are red on an ivory die. */
  odd: string;
}

/** A die in isometric view: three faces of a rounded cube. */
function die(values: readonly [number, number, number], colour: Finish, at: Placement): string {
  const side = (matrix: string, fill: string, value: number): string =>
    `<g transform="matrix(${matrix})"><rect x="-31" y="-31" width="62" height="62" rx="11" fill="${fill}"/>${pips(value, 17, value === 1 ? 9 : 6.6, value === 1 || value === 4 ? colour.odd : colour.pip)}</g>`;
  return place(
    `<ellipse cy="62" rx="60" ry="20" fill="#000" opacity=".34" filter="url(#near)"/><path d="M0-60L52-30V30L0 60L-52 30V-30Z" fill="${colour.left}" stroke="${colour.left}" stroke-width="10" stroke-linejoin="round"/>${side('.866 .5 -.866 .5 0 -31', colour.top, values[0])}${side('.866 .5 0 1 -27 15.5', colour.left, values[1])}${side('.866 -.5 0 1 27 15.5', colour.right, values[2])}<path d="M0 0V58M0 0L50-29M0 0L-50-29" stroke="#fff" stroke-opacity=".75" stroke-width="3" stroke-linecap="round"/>`,
    at,
  );
}

const IVORY = { top: '#ffffff', left: '#dfe3f3', right: '#c3c9e2', pip: '#242a4c', odd: '#e0193f' };
const RUBY = { top: '#ff6a7c', left: '#dd2946', right: '#b3163a', pip: '#ffffff', odd: '#ffffff' };
const NIGHT = { top: '#5a6aa8', left: '#36437c', right: '#26315f', pip: '#ffffff', odd: '#ffd24a' };

/** Three neighbouring faces of a die. Opposite faces add up to seven. */
function corner(draw: Random): [number, number, number] {
  const pairs: [number, number][] = [
    [1, 6],
    [2, 5],
    [3, 4],
  ];
  const [a = 1, b = 2, c = 3] = draw.shuffle(pairs).map((pair) => draw.pick(pair));
  return [a, b, c];
}

function wheelFace(radius: number, count: number, fill: (i: number) => string): string {
  const step = 360 / count;
  return times(count, (i) => {
    const [x1, y1] = polar(0, 0, radius, i * step - 90);
    const [x2, y2] = polar(0, 0, radius, (i + 1) * step - 90);
    return `<path d="M0 0L${n(x1)} ${n(y1)}A${radius} ${radius} 0 0 1 ${n(x2)} ${n(y2)}Z" fill="${fill(i)}"/>`;
  });
}

function roulette(draw: Random): string {
  const turn = draw.range(0, 360);
  const spokes = times(37, (i) => {
    const [x, y] = polar(0, 0, 100, (i * 360) / 37 - 90);
    const [x2, y2] = polar(0, 0, 72, (i * 360) / 37 - 90);
    return `M${n(x)} ${n(y)}L${n(x2)} ${n(y2)}`;
  });
  const wheel = `<circle r="128" fill="url(#wood)"/><circle r="128" fill="none" stroke="url(#brass)" stroke-width="6"/><circle r="108" fill="#1a0d08"/><g transform="rotate(${n(turn)})">${wheelFace(102, 37, (i) => (i === 0 ? '#0fa35f' : i % 2 === 0 ? '#16182c' : '#d31f3c'))}<path d="${spokes}" stroke="#f7d98c" stroke-width="1.6"/></g><circle r="102" fill="none" stroke="url(#brass)" stroke-width="5"/><circle r="72" fill="url(#wood)" stroke="url(#brass)" stroke-width="4"/>`;
  const [bx, by] = polar(0, 0, 88, draw.range(200, 340));
  const tower = times(4, (i) => {
    const [x, y] = polar(0, 0, 46, i * 90 + turn);
    return `<path d="M0-12L${n(x)} ${n(y * 0.66)}" stroke="url(#brass)" stroke-width="9" stroke-linecap="round"/><circle cx="${n(x)}" cy="${n(y * 0.66)}" r="9" fill="url(#brass)"/>`;
  });
  return (
    `<ellipse cy="46" rx="130" ry="76" fill="#000" opacity=".4" filter="url(#near)"/><ellipse cy="24" rx="128" ry="86" fill="#3a1608"/><g transform="scale(1 .68)">${wheel}<circle r="128" fill="url(#sheen)" opacity=".5"/></g>` +
    `<circle cx="${n(bx)}" cy="${n(by * 0.68)}" r="9.5" fill="#fff"/><circle cx="${n(bx)}" cy="${n(by * 0.68)}" r="9.5" fill="url(#ball)"/>${tower}<circle cy="-14" r="21" fill="url(#brass)"/><circle cy="-40" r="12" fill="url(#brass)"/><circle cy="-14" r="21" fill="url(#ball)" opacity=".6"/>` +
    chip(draw.pick(CHIP_COLOURS), { x: -84, y: 92, scale: 0.58 }) +
    chip(draw.pick(CHIP_COLOURS), { x: 92, y: 88, scale: 0.62 })
  );
}

function bowl(draw: Random): string {
  const red = draw.int(1, 3);
  const spots = [
    [-46, 52],
    [8, 36],
    [52, 58],
    [2, 70],
  ] as const;
  const discs = spots
    .map(([x, y], i) => {
      const colour = i < red ? '#e22a45' : '#f6f2e6';
      return `<ellipse cx="${x}" cy="${y + 7}" rx="22" ry="11" fill="#000" opacity=".3"/><ellipse cx="${x}" cy="${y + 4}" rx="22" ry="11" fill="${i < red ? '#9c1230' : '#cdbf9a'}"/><ellipse cx="${x}" cy="${y}" rx="22" ry="11" fill="${colour}"/><ellipse cx="${x - 4}" cy="${y - 3}" rx="10" ry="4" fill="#fff" opacity=".5"/>`;
    })
    .join('');
  const blue = draw.pick(['#2456d0', '#0e8a6c', '#b3203e', '#7038c8']);
  return (
    `<ellipse cy="86" rx="136" ry="44" fill="#000" opacity=".4" filter="url(#near)"/><ellipse cy="62" rx="134" ry="54" fill="url(#porcelain)"/><ellipse cy="58" rx="132" ry="52" fill="#fff"/><ellipse cy="58" rx="118" ry="45" fill="none" stroke="${blue}" stroke-width="5" stroke-dasharray="14 9"/><ellipse cy="58" rx="98" ry="36" fill="#e9edf8"/>${discs}` +
    `<g transform="translate(16 -52) rotate(${n(draw.range(10, 20))})"><path d="M-92 44A92 92 0 0 1 92 44A92 26 0 0 1-92 44Z" fill="url(#porcelain)"/><ellipse cy="44" rx="92" ry="26" fill="#c9d2ec"/><ellipse cy="46" rx="82" ry="20" fill="#8f9cc4"/><path d="M-84 14Q0 44 84 14" fill="none" stroke="${blue}" stroke-width="9"/><path d="M-76-4Q0 22 76-4" fill="none" stroke="${blue}" stroke-width="3"/>${glint(0, 2, 18, blue)}<path d="M-24-46H24L16-58H-16Z" fill="url(#porcelain)"/><path d="M-62-6Q-48-34-22-40" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".85"/></g>`
  );
}

export const tableMotifs: Record<string, (draw: Random) => string> = {
  dice: (draw) => {
    const finish = draw.shuffle([IVORY, IVORY, RUBY, NIGHT]);
    const [a = IVORY, b = IVORY, c = IVORY] = finish;
    return (
      die(corner(draw), b, { x: -64, y: -34, turn: draw.range(-12, -2), scale: 0.9 }) +
      die(corner(draw), c, { x: 70, y: -16, turn: draw.range(3, 14), scale: 0.94 }) +
      die(corner(draw), a, { x: 0, y: 46, turn: draw.range(-5, 5), scale: 1.06 })
    );
  },
  roulette,
  bowl,
  chips: (draw) => {
    const pile = (count: number): string[] =>
      Array.from({ length: count }, () => draw.pick(CHIP_COLOURS));
    return (
      back(draw.pick(['#b3123c', '#2440c8']), { x: -56, y: -42, turn: -16, scale: 0.82 }) +
      face('A', 'spade', { x: 52, y: -46, turn: 13, scale: 0.86 }) +
      stack(pile(draw.int(5, 8)), -70, 74, 0.86) +
      stack(pile(draw.int(4, 6)), 74, 78, 0.86) +
      stack(pile(draw.int(6, 9)), 0, 98, 1)
    );
  },
  dragontiger: (draw) =>
    face(draw.pick(['K', 'Q', 'J']), 'diamond', { x: -66, y: 44, turn: -13, scale: 0.72 }) +
    face(draw.pick(['10', '9', '8']), 'club', { x: 66, y: 44, turn: 13, scale: 0.72 }) +
    emoji('1f432', -62, -26, 148, -4) +
    emoji('1f42f', 64, -20, 138, 5) +
    `<path d="M14-112L-18-12H8L-12 84L30-28H4L30-112Z" fill="#ffe27a" stroke="#fff" stroke-width="4" stroke-linejoin="round"/>` +
    chip(draw.pick(CHIP_COLOURS), { x: 0, y: 108, scale: 0.6 }),
};
