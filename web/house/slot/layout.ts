// How large the parts of the screen are, for the room that the app leaves to the game. All in CSS pixels.

export type Layout = {
  wide: boolean;
  /** One symbol's place. */
  cell: { width: number; height: number };
  /** The edge of a drawn symbol. */
  symbol: number;
  /** What the hero takes above the frame; nothing where there is no room. */
  hero: number;
  /** The gold around the reels, its padding included. */
  frame: { width: number; height: number; pad: number };
};

/** How many reels and rows a machine has. */
export type Shape = { reels: number; rows: number };

/** Between two reels. */
export const gap = 2;

/** No wider than this: beyond it, hands and eyes would have to travel. */
const widest = 560;
/** Beside the reels, inside the gold. */
const lip = 5;
const tallest = 91 / 68;

const clamp = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

export const reelsWidth = (cell: number, reels: number): number => cell * reels + gap * (reels - 1);

/** Win bar, controls, balance and the gaps between them, at their usual size. */
const belowPortrait = 262;
const heroFull = 182;
/** Where even more is left, it grows on, but for some air below. */
const heroMost = 270;
const air = 40;
const heroLeast = 64;

export function layoutFor(width: number, height: number, shape: Shape): Layout {
  return width > height * 1.15 ? wide(width, height, shape) : tall(width, height, shape);
}

function tall(width: number, height: number, { reels, rows }: Shape): Layout {
  const pad = 9;
  const across = Math.min(width, widest) - 12;
  const cellWidth = Math.floor((across - 2 * (pad + lip) - 2 - gap * (reels - 1)) / reels);
  const room = height - belowPortrait - 2 * pad;
  // The hero gives way first, then the rows.
  const wanted = Math.floor(cellWidth * tallest);
  const cellHeight = clamp(
    Math.min(wanted, Math.floor((room - heroLeast) / rows)),
    Math.min(rows > 3 ? 38 : 44, wanted),
    wanted,
  );
  const left = room - cellHeight * rows;
  const hero = clamp(left, 0, clamp(left - air, heroFull, heroMost));
  return {
    wide: false,
    cell: { width: cellWidth, height: cellHeight },
    symbol: Math.floor(Math.min(cellWidth - 2, cellHeight - 4)),
    hero: hero < 44 ? 0 : hero,
    frame: {
      width: reelsWidth(cellWidth, reels) + 2 * (pad + lip),
      height: cellHeight * rows + 2 * pad,
      pad,
    },
  };
}

/** The column of controls beside the reels. */
const rail = 160;

function wide(width: number, height: number, { reels, rows }: Shape): Layout {
  const pad = 7;
  const hero = height >= 340 ? 58 : 40;
  const room = height - hero - 2 * pad - 62;
  const cellHeight = clamp(Math.floor(room / rows), rows > 3 ? 36 : 40, 120);
  const across = Math.min(width - rail - 44, 760) - 2 * (pad + lip);
  const cellWidth = clamp(
    Math.floor((across - gap * (reels - 1)) / reels),
    48,
    Math.floor(cellHeight * 1.14),
  );
  return {
    wide: true,
    cell: { width: cellWidth, height: cellHeight },
    symbol: Math.floor(Math.min(cellWidth - 4, cellHeight - 6)),
    hero,
    frame: {
      width: reelsWidth(cellWidth, reels) + 2 * (pad + lip),
      height: cellHeight * rows + 2 * pad,
      pad,
    },
  };
}
