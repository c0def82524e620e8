// One reel: the piece of its strip that can be seen, and one symbol more above and below it.
import { Container, Sprite, type Texture } from 'pixi.js';

import { streakStretch } from '../../src/lib/slot-atlas.ts';
import type { Textures } from './textures.ts';
import type { Turn } from './timing.ts';

/** Above this pace symbols are streaks. */
const blurred = 0.55;

export type Labels = Readonly<Partial<Record<string, Texture>>>;

type Place = { box: Container; face: Sprite; label: Sprite };

export class Reel {
  readonly root = new Container();
  /** The places that can be seen come first, from the top; then the one below, and the one above. */
  readonly #places: Place[];
  readonly #strip: readonly string[];
  readonly #textures: Textures;
  readonly #rows: number;
  #labels: Labels = {};
  #size = { width: 0, height: 0, symbol: 0 };
  /** Where the strip stands at the top. */
  #top = 0;
  /** What stands there instead of the strip's own symbols: others have fallen after it. */
  #held: { top: number; names: readonly string[] } | null = null;

  constructor(strip: readonly string[], rows: number, textures: Textures) {
    this.#strip = strip;
    this.#rows = rows;
    this.#textures = textures;
    this.#places = Array.from({ length: rows + 2 }, () => {
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
    this.show({ top: this.#top, swing: 0, pace: 0 });
  }

  get top(): number {
    return this.#top;
  }

  show({ top, swing, pace }: Turn): void {
    this.#top = top;
    const first = Math.floor(top);
    const part = top - first;
    const streak = pace > blurred;
    // Too fast to be read: from here on it is the strip again.
    if (streak) this.#held = null;
    for (const i of this.#places.keys()) {
      const row = i > this.#rows ? -1 : i;
      this.#put(i, this.#symbolAt(first + row), row - part, swing, streak);
    }
  }

  /** Stands still on a stop of its strip. */
  stand(top: number): void {
    this.#held = null;
    this.show({ top, swing: 0, pace: 0 });
  }

  /** Stands still on these symbols, wherever they came from. */
  hold(top: number, names: readonly string[]): void {
    this.#held = { top, names };
    this.show({ top, swing: 0, pace: 0 });
  }

  /** The symbols as far as they have fallen: each still so many rows above its place. */
  fall(names: readonly string[], above: readonly number[]): void {
    this.#held = { top: this.#top, names };
    for (const [row, name] of names.entries())
      this.#put(row, name, row - (above[row] ?? 0), 0, false);
  }

  /** How much of a symbol is left while it vanishes. */
  fade(row: number, left: number, shrinks: boolean): void {
    const place = this.#places[row];
    if (!place) return;
    place.box.alpha = left;
    if (shrinks) place.box.scale.set(0.6 + 0.4 * left);
  }

  #put(i: number, name: string, row: number, swing: number, streak: boolean): void {
    const place = this.#places[i];
    if (!place) return;
    const { box, face, label } = place;
    const { width, height, symbol } = this.#size;
    face.texture = streak ? this.#textures.streak(name) : this.#textures.symbol(name);
    face.width = symbol;
    face.height = streak ? symbol * streakStretch : symbol;
    const word = streak ? undefined : this.#labels[name];
    label.visible = word !== undefined;
    if (word) fitLabel(label, word, symbol);
    box.position.set(width / 2, (row + 0.5) * height + swing);
  }

  #symbolAt(place: number): string {
    const held = this.#held?.names[place - this.#held.top];
    if (held !== undefined) return held;
    const { length } = this.#strip;
    return this.#strip[((place % length) + length) % length] ?? '';
  }

  /** How clearly a row is seen. */
  dim(row: number, alpha: number): void {
    const place = this.#places[row];
    if (place) place.box.alpha = alpha;
  }

  light(): void {
    for (const { box } of this.#places) {
      box.alpha = 1;
      box.scale.set(1);
    }
  }
}

export function fitLabel(label: Sprite, word: Texture, symbol: number): void {
  label.texture = word;
  label.scale.set(Math.min(symbol / 150, (symbol * 0.96) / word.width));
  label.position.set(0, symbol * 0.36);
}
