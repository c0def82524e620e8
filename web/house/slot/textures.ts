// The slot's textures: one atlas, and the labels of wild and scatter in the player's language.
import { CanvasSource, ImageSource, Rectangle, Texture } from 'pixi.js';

import {
  atlasAddress,
  type Frame,
  isSymbol,
  effects,
  blurredFrame,
  symbolFrame,
  type SymbolName,
  symbols,
} from '../../src/lib/slot-atlas.ts';
import type { ThemeName } from './themes.ts';

type Effect = keyof typeof effects;

export type Textures = {
  symbol: (name: string) => Texture;
  blurred: (name: string) => Texture;
  effect: (name: Effect) => Texture;
};

export async function loadTextures(theme: ThemeName): Promise<Textures> {
  const image = new Image();
  image.src = atlasAddress(theme);
  await image.decode();
  const source = new ImageSource({ resource: image, autoGenerateMipmaps: true });
  const cut = ({ x, y, width, height }: Frame): Texture =>
    new Texture({ source, frame: new Rectangle(x, y, width, height) });
  const symbolTextures = new Map<SymbolName, Texture>(
    symbols.map((name) => [name, cut(symbolFrame(name))]),
  );
  const blurredTextures = new Map<SymbolName, Texture>(
    symbols.map((name) => [name, cut(blurredFrame(name))]),
  );
  const effectTextures = Object.fromEntries(
    Object.entries(effects).map(([name, frame]) => [name, cut(frame)]),
  ) as Record<Effect, Texture>;
  return {
    symbol: (name) => find(symbolTextures, name),
    blurred: (name) => find(blurredTextures, name),
    effect: (name) => effectTextures[name],
  };
}

/** Throws for an unknown symbol: a missing picture would hide a win. */
function find(from: ReadonlyMap<SymbolName, Texture>, name: string): Texture {
  const found = isSymbol(name) ? from.get(name) : undefined;
  if (!found) throw new Error(`no picture of ${name}`);
  return found;
}

const labelHeight = 44;

/** Load the font before drawing, because labels are drawn once. */
const labelFont = `800 21px 'Bungee', 'Noto Naskh Arabic', 'Be Vietnam Pro', sans-serif`;

export const loadLabelFont = (text: string): Promise<unknown> =>
  document.fonts.load(labelFont, text).catch(() => {});

/** Draws a text on a small plate with a gold edge. */
export function labelTexture(text: string, fill: readonly [top: string, bottom: string]): Texture {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return Texture.EMPTY;
  context.font = labelFont;
  const width = Math.min(156, Math.ceil(context.measureText(text).width) + 22);
  canvas.width = width;
  canvas.height = labelHeight;
  const gradient = context.createLinearGradient(0, 0, 0, labelHeight);
  gradient.addColorStop(0, fill[0]);
  gradient.addColorStop(1, fill[1]);
  context.beginPath();
  context.roundRect(3, 3, width - 6, labelHeight - 6, 12);
  context.fillStyle = gradient;
  context.fill();
  context.lineWidth = 3;
  context.strokeStyle = '#ffd978';
  context.stroke();
  context.font = labelFont;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = '#fff3c4';
  context.fillText(text, width / 2, labelHeight / 2 + 2, width - 16);
  return new Texture({ source: new CanvasSource({ resource: canvas, autoGenerateMipmaps: true }) });
}
