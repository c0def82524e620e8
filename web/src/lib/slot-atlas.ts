// The layout of a slot's atlas, shared by the painter, the game and the proofs.

export type Frame = Readonly<{ x: number; y: number; width: number; height: number }>;

/** Symbols in painting order, by the server's names. */
export const symbols = [
  'wild',
  'scatter',
  'dragon',
  'lotus',
  'diamond',
  'lantern',
  'envelope',
  'A',
  'K',
  'Q',
  'J',
  '10',
] as const;

export type SymbolName = (typeof symbols)[number];

export const isSymbol = (name: string): name is SymbolName =>
  (symbols as readonly string[]).includes(name);

export const atlasSize = { width: 2048, height: 640 } as const;

/** A gap between pictures, so that scaling does not blend neighbours. */
const step = 168;
const edge = 160;
const streakHeight = 240;

/** A symbol at rest. */
export const symbolFrame = (name: SymbolName): Frame => ({
  x: symbols.indexOf(name) * step + 4,
  y: 4,
  width: edge,
  height: edge,
});

/** The symbol's blurred version on a spinning reel. */
export const streakFrame = (name: SymbolName): Frame => ({
  x: symbols.indexOf(name) * step + 4,
  y: 172,
  width: edge,
  height: streakHeight,
});

/** Height of the blurred version, in symbols. */
export const streakStretch = streakHeight / edge;

const row = 424;

export const pieces = {
  /** The glow behind a winning symbol, larger than its cell. */
  hot: { x: 4, y: row, width: 192, height: 192 },
  /** The glow of the wild symbol. */
  hotWild: { x: 204, y: row, width: 192, height: 192 },
  coin: { x: 404, y: row, width: 96, height: 96 },
  glint: { x: 508, y: row, width: 64, height: 64 },
  spark: { x: 580, y: row, width: 48, height: 48 },
  /** A segment of a winning line; it can be stretched. */
  beam: { x: 640, y: row, width: 16, height: 44 },
  bead: { x: 664, y: row, width: 44, height: 44 },
} as const satisfies Record<string, Frame>;

/** How far the glow reaches beyond the cell, and its corner radius. */
export const hotGlow = 26;
export const hotCorner = 64;

/** Returns the address of a theme's atlas. */
export const atlasAddress = (theme: string): string =>
  `/m/art/house/${encodeURIComponent(theme)}/symbols.webp`;

/** Returns the CSS background that shows a symbol in a box of this size. */
export function symbolCut(name: SymbolName, size: number, theme: string) {
  const { x, y, width } = symbolFrame(name);
  const scale = size / width;
  return {
    inlineSize: `${size}px`,
    blockSize: `${size}px`,
    backgroundImage: `url("${atlasAddress(theme)}")`,
    backgroundSize: `${atlasSize.width * scale}px ${atlasSize.height * scale}px`,
    backgroundPosition: `${-x * scale}px ${-y * scale}px`,
  };
}
