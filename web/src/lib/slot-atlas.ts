// The layout of a slot's atlas, shared by the art generator, the game and the fairness page.

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

/** Distance between symbols. It leaves a gap of 8, so that scaling does not blend neighbours. */
const step = 168;
const symbolSize = 160;
const blurredHeight = 240;

/** A symbol at rest. */
export const symbolFrame = (name: SymbolName): Frame => ({
  x: symbols.indexOf(name) * step + 4,
  y: 4,
  width: symbolSize,
  height: symbolSize,
});

/** The symbol's blurred version on a spinning reel. */
export const blurredFrame = (name: SymbolName): Frame => ({
  x: symbols.indexOf(name) * step + 4,
  y: 172,
  width: symbolSize,
  height: blurredHeight,
});

/** Height of a blurred symbol, relative to a symbol at rest. */
export const blurHeightRatio = blurredHeight / symbolSize;

const effectsTop = 424;

export const effects = {
  /** The glow behind a winning symbol, larger than its cell. */
  glow: { x: 4, y: effectsTop, width: 192, height: 192 },
  wildGlow: { x: 204, y: effectsTop, width: 192, height: 192 },
  coin: { x: 404, y: effectsTop, width: 96, height: 96 },
  /** A star that flies with the coins, as `spark` does. */
  glint: { x: 508, y: effectsTop, width: 64, height: 64 },
  spark: { x: 580, y: effectsTop, width: 48, height: 48 },
  /** A segment of a winning line. It can be stretched. */
  beam: { x: 640, y: effectsTop, width: 16, height: 44 },
  /** A dot on each symbol of a winning line. */
  bead: { x: 664, y: effectsTop, width: 44, height: 44 },
} as const satisfies Record<string, Frame>;

/** How far the glow reaches beyond the cell. */
export const glowMargin = 26;
export const glowRadius = 64;

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
