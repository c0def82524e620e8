// The slot's pictures on the graphics card: one atlas, cut into its pieces, and the labels of the two special symbols,
// which are words and so are set in the player's language.
import { CanvasSource, ImageSource, Rectangle, Texture } from 'pixi.js';

import {
  atlasAddress,
  type Frame,
  isSymbol,
  pieces,
  streakFrame,
  symbolFrame,
  type SymbolName,
  symbols,
} from '../../src/lib/slot-atlas.ts';
import type { ThemeName } from './themes.ts';

type Piece = keyof typeof pieces;

export type Textures = {
  symbol: (name: string) => Texture;
  streak: (name: string) => Texture;
  piece: (name: Piece) => Texture;
};

export async function loadTextures(theme: ThemeName): Promise<Textures> {
  const image = new Image();
  image.src = atlasAddress(theme);
  await image.decode();
  const source = new ImageSource({ resource: image, autoGenerateMipmaps: true });
  const cut = ({ x, y, width, height }: Frame): Texture =>
    new Texture({ source, frame: new Rectangle(x, y, width, height) });
  const resting = new Map<SymbolName, Texture>(
    symbols.map((name) => [name, cut(symbolFrame(name))]),
  );
  const running = new Map<SymbolName, Texture>(
    symbols.map((name) => [name, cut(streakFrame(name))]),
  );
  const others = Object.fromEntries(
    Object.entries(pieces).map(([name, frame]) => [name, cut(frame)]),
  ) as Record<Piece, Texture>;
  return {
    symbol: (name) => find(resting, name),
    streak: (name) => find(running, name),
    piece: (name) => others[name],
  };
}

/** A symbol that has no picture would hide what was won: that is a mistake to be seen at once. */
function find(from: ReadonlyMap<SymbolName, Texture>, name: string): Texture {
  const found = isSymbol(name) ? from.get(name) : undefined;
  if (!found) throw new Error(`no picture of ${name}`);
  return found;
}

const labelHeight = 44;

/** The letters of the labels. They are painted once, so they have to be there before. */
const labelFont = `800 21px 'Bungee', 'Noto Naskh Arabic', 'Be Vietnam Pro', sans-serif`;

export const loadLabelFont = (text: string): Promise<unknown> =>
  document.fonts.load(labelFont, text).catch(() => {});

/** A word on a small plate with a gold edge. */
export function labelTexture(text: string, fill: readonly [top: string, bottom: string]): Texture {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) return Texture.EMPTY;
  pen.font = labelFont;
  const width = Math.min(156, Math.ceil(pen.measureText(text).width) + 22);
  canvas.width = width;
  canvas.height = labelHeight;
  const ground = pen.createLinearGradient(0, 0, 0, labelHeight);
  ground.addColorStop(0, fill[0]);
  ground.addColorStop(1, fill[1]);
  pen.beginPath();
  pen.roundRect(3, 3, width - 6, labelHeight - 6, 12);
  pen.fillStyle = ground;
  pen.fill();
  pen.lineWidth = 3;
  pen.strokeStyle = '#ffd978';
  pen.stroke();
  pen.font = labelFont;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillStyle = '#fff3c4';
  pen.fillText(text, width / 2, labelHeight / 2 + 2, width - 16);
  return new Texture({ source: new CanvasSource({ resource: canvas, autoGenerateMipmaps: true }) });
}
