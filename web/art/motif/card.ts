/** Playing cards, drawn by us: faces with one large suit, backs with a lattice. */
import type { Random } from '../random.ts';
import { place, times, type Placement } from '../svg.ts';
import { chip, CHIP_COLOURS } from './chip.ts';
import { glyphs } from './glyph.ts';
import { SUIT_NAMES, SUITS, type Suit } from './suit.ts';

const W = 124;
const H = 176;

const shadow = `<rect x="${-W / 2}" y="${-H / 2 + 6}" width="${W}" height="${H}" rx="15" fill="#000" opacity=".3" filter="url(#near)"/>`;

export function face(rank: string, suit: Suit, at: Placement): string {
  const { path, colour } = SUITS[suit];
  const corner = `${glyphs(rank, -40, -62, 28, colour)}<path transform="translate(-40 -30) scale(.25)" d="${path}" fill="${colour}"/>`;
  return place(
    `${shadow}<rect x="${-W / 2}" y="${-H / 2}" width="${W}" height="${H}" rx="15" fill="url(#paper)" stroke="#fff" stroke-width="2"/>${corner}<g transform="rotate(180)">${corner}</g><path d="${path}" transform="translate(6 8) scale(.92)" fill="${colour}"/><path d="${path}" transform="translate(6 8) scale(.92)" fill="url(#sheen)"/>`,
    at,
  );
}

export function back(colour: string, at: Placement): string {
  const lattice = times(
    9,
    (i) => `M${-W / 2 + i * 22 - 60} ${-H / 2}l176 176M${W / 2 - i * 22 + 60} ${-H / 2}l-176 176`,
  );
  return place(
    `${shadow}<rect x="${-W / 2}" y="${-H / 2}" width="${W}" height="${H}" rx="15" fill="#fff"/><clipPath id="inset"><rect x="${-W / 2 + 8}" y="${-H / 2 + 8}" width="${W - 16}" height="${H - 16}" rx="9"/></clipPath><g clip-path="url(#inset)"><rect x="-62" y="-88" width="124" height="176" fill="${colour}"/><path d="${lattice}" stroke="#fff" stroke-opacity=".38" stroke-width="3"/><circle r="30" fill="${colour}" stroke="#fff" stroke-opacity=".7" stroke-width="3"/><path d="M0-20C3-4 4-3 20 0C4 3 3 4 0 20C-3 4-4 3-20 0C-4-3-3-4 0-20Z" fill="#ffd977"/></g><rect x="${-W / 2}" y="${-H / 2}" width="${W}" height="${H}" rx="15" fill="url(#sheen)" opacity=".7"/>`,
    at,
  );
}

const RANKS = ['A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4', '3', '2'] as const;
const PICTURES = ['K', 'Q', 'J'] as const;
const BACKS = ['#b3123c', '#2440c8', '#0b7a55', '#6a2bc8', '#b4620c'] as const;

/** Different cards from one pack. */
function deal(draw: Random, count: number): { rank: string; suit: Suit }[] {
  const pack = RANKS.flatMap((rank) => SUIT_NAMES.map((suit) => ({ rank, suit })));
  return draw.shuffle(pack).slice(0, count);
}

const chipsAt = (draw: Random, spots: readonly (readonly [number, number, number])[]): string =>
  spots.map(([x, y, scale]) => chip(draw.pick(CHIP_COLOURS), { x, y, scale })).join('');

function fanOf(draw: Random, count: number, spread: number): string {
  return deal(draw, count)
    .map(({ rank, suit }, i) => {
      const from = i - (count - 1) / 2;
      return face(rank, suit, {
        x: from * (180 / count),
        y: Math.abs(from) * Math.abs(from) * 7 - 6,
        turn: from * spread,
        scale: 0.92,
      });
    })
    .join('');
}

export const cardMotifs: Record<string, (draw: Random) => string> = {
  fan: (draw) => fanOf(draw, draw.pick([4, 5]), draw.range(10, 13)),

  three: (draw) => {
    const [left, middle, right] = deal(draw, 3);
    if (!left || !middle || !right) return '';
    const lean = draw.range(14, 20);
    return (
      face(left.rank, left.suit, { x: -62, y: 10, turn: -lean, scale: 0.94 }) +
      face(right.rank, right.suit, { x: 62, y: 10, turn: lean, scale: 0.94 }) +
      face(middle.rank, middle.suit, { x: 0, y: -10, scale: 1.08 })
    );
  },

  baccarat: (draw) => {
    const natural = draw.pick(['9', '8']);
    return (
      face(natural, draw.pick(['heart', 'diamond']), {
        x: -48,
        y: -18,
        turn: -draw.range(8, 15),
        scale: 1.05,
      }) +
      face(draw.pick(PICTURES), draw.pick(['spade', 'club']), {
        x: 46,
        y: -12,
        turn: draw.range(7, 14),
        scale: 1.05,
      }) +
      chipsAt(draw, [
        [-84, 84, 0.64],
        [84, 86, 0.66],
        [2, 96, 0.76],
      ])
    );
  },

  squeeze: (draw) => {
    const colour = draw.pick(BACKS);
    const [shown] = deal(draw, 1);
    if (!shown) return '';
    return (
      back(colour, { x: -56, y: 4, turn: -14, scale: 0.98 }) +
      face(shown.rank, shown.suit, { x: 44, y: -4, turn: 9, scale: 1.08 }) +
      chipsAt(draw, [
        [-76, 92, 0.6],
        [-26, 100, 0.66],
      ])
    );
  },

  blackjackpair: (draw) =>
    back(draw.pick(BACKS), { x: 66, y: -14, turn: 16, scale: 0.9 }) +
    face('A', draw.pick(['heart', 'diamond']), { x: -54, y: -4, turn: -12, scale: 1 }) +
    face(draw.pick(PICTURES), draw.pick(['spade', 'club']), { x: 10, y: 10, turn: 3, scale: 1.06 }),

  poker: (draw) => {
    const start = draw.int(0, 6);
    const suit = draw.pick(SUIT_NAMES);
    const straight = RANKS.slice(start, start + 5).toReversed();
    const cards = straight
      .map((rank, i) =>
        face(rank, suit, {
          x: (i - 2) * 44,
          y: Math.abs(i - 2) * 9 - 18,
          turn: (i - 2) * 8,
          scale: 0.8,
        }),
      )
      .join('');
    return (
      cards +
      chipsAt(draw, [
        [-70, 88, 0.62],
        [-16, 98, 0.72],
        [42, 94, 0.62],
        [84, 82, 0.54],
      ])
    );
  },

  melds: (draw) => {
    const suit = draw.pick(SUIT_NAMES);
    const rank = draw.pick(RANKS);
    const start = draw.int(1, 9);
    const run = RANKS.slice(start, start + 3).toReversed();
    const top = SUIT_NAMES.slice(0, 3)
      .map((each, i) =>
        face(rank, each, { x: (i - 1) * 52 - 20, y: -44, turn: (i - 1) * 5 - 5, scale: 0.66 }),
      )
      .join('');
    const low = run
      .map((each, i) =>
        face(each, suit, { x: (i - 1) * 52 + 22, y: 48, turn: (i - 1) * 5 + 5, scale: 0.72 }),
      )
      .join('');
    return top + low;
  },
};
