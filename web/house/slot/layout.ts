// Sizes of the parts of the screen, in CSS pixels.

export type Layout = {
  wide: boolean;
  cell: { width: number; height: number };
  symbol: number;
  /** The height of the hero above the frame; 0 hides it. */
  hero: number;
  /** The gold frame around the reels, with its padding. */
  frame: { width: number; height: number; pad: number };
};

export type Shape = { reels: number; rows: number };

export const gap = 2;

const maxWidth = 560;
/** Between the reels and the frame. */
const frameInset = 5;
const maxCellRatio = 91 / 68;

const clamp = (value: number, min: number, max: number): number =>
  Math.max(min, Math.min(max, value));

export const reelsWidth = (cell: number, reels: number): number => cell * reels + gap * (reels - 1);

/** The height of the win bar, controls and balance, with the gaps between them. */
const heightBelowReels = 262;
const heroFull = 182;
/** If there is space, the hero grows to this height and leaves some space below it. */
const heroMax = 270;
const spaceBelow = 40;
const heroMin = 64;

export function layoutFor(width: number, height: number, shape: Shape): Layout {
  return width > height * 1.15
    ? landscapeLayout(width, height, shape)
    : portraitLayout(width, height, shape);
}

function portraitLayout(width: number, height: number, { reels, rows }: Shape): Layout {
  const pad = 9;
  const innerWidth = Math.min(width, maxWidth) - 12;
  const cellWidth = Math.floor(
    (innerWidth - 2 * (pad + frameInset) - 2 - gap * (reels - 1)) / reels,
  );
  const available = height - heightBelowReels - 2 * pad;
  // The hero shrinks first, then the rows.
  const preferred = Math.floor(cellWidth * maxCellRatio);
  const cellHeight = clamp(
    Math.min(preferred, Math.floor((available - heroMin) / rows)),
    Math.min(rows > 3 ? 38 : 44, preferred),
    preferred,
  );
  const left = available - cellHeight * rows;
  const hero = clamp(left, 0, clamp(left - spaceBelow, heroFull, heroMax));
  return {
    wide: false,
    cell: { width: cellWidth, height: cellHeight },
    symbol: Math.floor(Math.min(cellWidth - 2, cellHeight - 4)),
    hero: hero < 44 ? 0 : hero,
    frame: {
      width: reelsWidth(cellWidth, reels) + 2 * (pad + frameInset),
      height: cellHeight * rows + 2 * pad,
      pad,
    },
  };
}

const controlsWidth = 160;

function landscapeLayout(width: number, height: number, { reels, rows }: Shape): Layout {
  const pad = 7;
  const hero = height >= 340 ? 58 : 40;
  const available = height - hero - 2 * pad - 62;
  const cellHeight = clamp(Math.floor(available / rows), rows > 3 ? 36 : 40, 120);
  const innerWidth = Math.min(width - controlsWidth - 44, 760) - 2 * (pad + frameInset);
  const cellWidth = clamp(
    Math.floor((innerWidth - gap * (reels - 1)) / reels),
    48,
    Math.floor(cellHeight * 1.14),
  );
  return {
    wide: true,
    cell: { width: cellWidth, height: cellHeight },
    symbol: Math.floor(Math.min(cellWidth - 4, cellHeight - 6)),
    hero,
    frame: {
      width: reelsWidth(cellWidth, reels) + 2 * (pad + frameInset),
      height: cellHeight * rows + 2 * pad,
      pad,
    },
  };
}
