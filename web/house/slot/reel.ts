// One reel: the visible symbols of its strip, and one more above and below.
import { Container, Sprite, type Texture } from 'pixi.js';

import { blurHeightRatio } from '../../src/lib/slot-atlas.ts';
import type { Textures } from './textures.ts';
import type { ReelPosition } from './timing.ts';

/** Above this speed, symbols are drawn blurred. */
const streakSpeed = 0.55;

export type Labels = Readonly<Partial<Record<string, Texture>>>;

type Cell = { box: Container; face: Sprite; label: Sprite };

export class Reel {
  readonly root = new Container();
  /** The visible cells from the top, then the cell below them, then the cell above them. */
  readonly #cells: Cell[];
  readonly #strip: readonly string[];
  readonly #textures: Textures;
  readonly #rows: number;
  #labels: Labels = {};
  #size = { width: 0, height: 0, symbol: 0 };
  #top = 0;
  /** Symbols that replace the strip's, after a fall. */
  #override: { top: number; names: readonly string[] } | null = null;

  constructor(strip: readonly string[], rows: number, textures: Textures) {
    this.#strip = strip;
    this.#rows = rows;
    this.#textures = textures;
    this.#cells = Array.from({ length: rows + 2 }, () => {
      const face = new Sprite();
      const label = new Sprite();
      face.anchor.set(0.5);
      label.anchor.set(0.5);
      const box = new Container();
      box.addChild(face, label);
      this.root.addChild(box);
      return { box, face, label };
    });
  }

  resize(size: { width: number; height: number; symbol: number }, labels: Labels): void {
    this.#size = size;
    this.#labels = labels;
    this.show({ top: this.#top, swing: 0, speed: 0 });
  }

  get top(): number {
    return this.#top;
  }

  show({ top, swing, speed }: ReelPosition): void {
    this.#top = top;
    const first = Math.floor(top);
    const part = top - first;
    const blurred = speed > streakSpeed;
    // Blurred symbols are unreadable, so the strip's own symbols can return.
    if (blurred) this.#override = null;
    for (const i of this.#cells.keys()) {
      const row = i > this.#rows ? -1 : i;
      this.#put(i, this.#symbolAt(first + row), row - part, swing, blurred);
    }
  }

  stopAt(top: number): void {
    this.#override = null;
    this.show({ top, swing: 0, speed: 0 });
  }

  /** Stops at a position and shows these symbols instead of the strip's. */
  showSymbols(top: number, names: readonly string[]): void {
    this.#override = { top, names };
    this.show({ top, swing: 0, speed: 0 });
  }

  /** Draws falling symbols. Each is the given number of rows above its cell. */
  fall(names: readonly string[], above: readonly number[]): void {
    this.#override = { top: this.#top, names };
    for (const [row, name] of names.entries())
      this.#put(row, name, row - (above[row] ?? 0), 0, false);
  }

  /** Fades a vanishing symbol; `left` goes from 1 to 0. */
  fade(row: number, left: number, shrinks: boolean): void {
    const cell = this.#cells[row];
    if (!cell) return;
    cell.box.alpha = left;
    if (shrinks) cell.box.scale.set(0.6 + 0.4 * left);
  }

  #put(i: number, name: string, row: number, swing: number, blurred: boolean): void {
    const cell = this.#cells[i];
    if (!cell) return;
    const { box, face, label } = cell;
    const { width, height, symbol } = this.#size;
    face.texture = blurred ? this.#textures.blurred(name) : this.#textures.symbol(name);
    face.width = symbol;
    face.height = blurred ? symbol * blurHeightRatio : symbol;
    const texture = blurred ? undefined : this.#labels[name];
    label.visible = texture !== undefined;
    if (texture) fitLabel(label, texture, symbol);
    box.position.set(width / 2, (row + 0.5) * height + swing);
  }

  #symbolAt(position: number): string {
    const symbol = this.#override?.names[position - this.#override.top];
    if (symbol !== undefined) return symbol;
    const { length } = this.#strip;
    return this.#strip[((position % length) + length) % length] ?? '';
  }

  dim(row: number, alpha: number): void {
    const cell = this.#cells[row];
    if (cell) cell.box.alpha = alpha;
  }

  reset(): void {
    for (const { box } of this.#cells) {
      box.alpha = 1;
      box.scale.set(1);
    }
  }
}

export function fitLabel(label: Sprite, texture: Texture, symbol: number): void {
  label.texture = texture;
  label.scale.set(Math.min(symbol / 150, (symbol * 0.96) / texture.width));
  label.position.set(0, symbol * 0.36);
}
