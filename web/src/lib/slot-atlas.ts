// Where each picture stands in a slot's atlas. The art's painter, the game and the proof of its rounds read the same places.

export type Frame = Readonly<{ x: number; y: number; width: number; height: number }>;

/** The symbols in the order they are painted in. Their names are the server's. */
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

/** No picture touches its neighbour, so that none bleeds into it when it is drawn smaller. */
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

/** The same symbol as it looks while its reel runs. */
export const streakFrame = (name: SymbolName): Frame => ({
  x: symbols.indexOf(name) * step + 4,
  y: 172,
  width: edge,
  height: streakHeight,
});

/** How much taller a streak is than the symbol. */
export const streakStretch = streakHeight / edge;

const row = 424;

export const pieces = {
  /** Behind a winning symbol; its light reaches over its edge. */
  hot: { x: 4, y: row, width: 192, height: 192 },
  /** The same for the wild symbol. */
  hotWild: { x: 204, y: row, width: 192, height: 192 },
  coin: { x: 404, y: row, width: 96, height: 96 },
  glint: { x: 508, y: row, width: 64, height: 64 },
  spark: { x: 580, y: row, width: 48, height: 48 },
  /** A piece of a winning line, as long as needed. */
  beam: { x: 640, y: row, width: 16, height: 44 },
  bead: { x: 664, y: row, width: 44, height: 44 },
} as const satisfies Record<string, Frame>;

/** How far the light of `hot` reaches over the cell, and where its corners end. */
export const hotGlow = 26;
export const hotCorner = 64;

/** The atlas of a theme. */
export const atlasAddress = (theme: string): string =>
  `/m/art/house/${encodeURIComponent(theme)}/symbols.webp`;

/** How a symbol is cut out of the atlas, as the background of a box of this size. */
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
