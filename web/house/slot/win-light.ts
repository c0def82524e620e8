// Lights the winning cells and their line. Everything is computed from the time since the result.
import { Container, NineSliceSprite, Sprite } from 'pixi.js';

import { glowRadius, glowMargin } from '../../src/lib/slot-atlas.ts';
import { gap, type Shape } from './layout.ts';
import { fitLabel, type Labels } from './reel.ts';
import type { Grid, Win } from './session.ts';
import type { Textures } from './textures.ts';

export const lightTimes = { dim: 160, pop: 180, line: 360, each: 1700 } as const;

export const litAfterMs = lightTimes.dim + Math.max(lightTimes.pop, lightTimes.line);

type Size = { width: number; height: number; symbol: number };

const clamp = (part: number): number => Math.max(0, Math.min(1, part));

export type WinFrame = {
  win: Win;
  grid: Grid;
  wild: string;
  line: readonly number[] | null;
  time: number;
  /** Marks only the line, without a celebration. */
  plain: boolean;
};

type Copy = { box: Container; face: Sprite; label: Sprite };

export class WinLight {
  readonly below = new Container();
  readonly above = new Container();
  readonly #textures: Textures;
  readonly #glows: NineSliceSprite[];
  readonly #beams: Sprite[];
  readonly #dots: Sprite[];
  readonly #copies: Copy[];
  #size: Size = { width: 0, height: 0, symbol: 0 };
  #labels: Labels = {};

  constructor({ reels, rows }: Shape, textures: Textures) {
    this.#textures = textures;
    const scale = glowRadius;
    this.#glows = Array.from(
      { length: reels * rows },
      () =>
        new NineSliceSprite({
          texture: textures.effect('glow'),
          leftWidth: scale,
          rightWidth: scale,
          topHeight: scale,
          bottomHeight: scale,
        }),
    );
    const sprites = (count: number, effect: 'beam' | 'bead'): Sprite[] =>
      Array.from({ length: count }, () => {
        const sprite = new Sprite(textures.effect(effect));
        sprite.anchor.set(effect === 'beam' ? 0 : 0.5, 0.5);
        return sprite;
      });
    this.#beams = sprites(reels, 'beam');
    this.#dots = sprites(40, 'bead');
    this.#copies = Array.from({ length: reels * rows }, () => {
      const face = new Sprite();
      const label = new Sprite();
      face.anchor.set(0.5);
      label.anchor.set(0.5);
      const box = new Container();
      box.addChild(face, label);
      return { box, face, label };
    });
    this.below.addChild(...this.#glows);
    this.above.addChild(...this.#beams, ...this.#dots, ...this.#copies.map(({ box }) => box));
    this.clear();
  }

  resize(size: Size, labels: Labels): void {
    this.#size = size;
    this.#labels = labels;
  }

  clear(): void {
    for (const one of [...this.#glows, ...this.#beams, ...this.#dots]) one.visible = false;
    for (const { box } of this.#copies) box.visible = false;
  }

  /** Draws one win; `time` is in milliseconds. Frames of the same win show the same sprites: hiding one rebuilds the scene. */
  show({ win, grid, wild, line, time, plain }: WinFrame): void {
    const scale = plain
      ? 1
      : 1 + 0.08 * Math.sin((clamp((time - lightTimes.dim) / lightTimes.pop) * Math.PI) / 2);
    // Without a line, the cells are marked instead.
    const alpha = plain ? (line ? 0 : 0.5) : clamp(time / lightTimes.dim);
    for (const [i, [reel, row]] of win.cells.entries()) {
      const name = grid[reel]?.[row] ?? '';
      this.#plate(i, reel, row, name === wild ? 'wildGlow' : 'glow', alpha);
      this.#symbol(i, reel, row, name, scale);
    }
    const lit = win.cells.length;
    for (const glow of this.#glows.slice(lit)) glow.visible = false;
    for (const { box } of this.#copies.slice(lit)) box.visible = false;
    const part = clamp((time - lightTimes.dim) / lightTimes.line);
    const drawn = line ? this.#line(line, win.count, part, plain ? 0.6 : 1) : { beams: 0, dots: 0 };
    for (const beam of this.#beams.slice(drawn.beams)) beam.visible = false;
    for (const dot of this.#dots.slice(drawn.dots)) dot.visible = false;
  }

  #plate(i: number, reel: number, row: number, effect: 'glow' | 'wildGlow', alpha: number): void {
    const { width, height } = this.#size;
    const [x, y] = this.#centre(reel, row);
    const glow = this.#glows[i];
    if (glow) {
      // The texture is drawn at twice the size.
      const scale = 0.5;
      glow.texture = this.#textures.effect(effect);
      glow.scale.set(scale);
      glow.width = (width - 4 + 2 * glowMargin * scale) / scale;
      glow.height = (height - 4 + 2 * glowMargin * scale) / scale;
      glow.position.set(x - (glow.width * scale) / 2, y - (glow.height * scale) / 2);
      glow.alpha = alpha;
      glow.visible = true;
    }
  }

  #symbol(i: number, reel: number, row: number, name: string, scale: number): void {
    const { symbol } = this.#size;
    const [x, y] = this.#centre(reel, row);
    const copy = this.#copies[i];
    if (!copy) return;
    copy.face.texture = this.#textures.symbol(name);
    copy.face.width = symbol;
    copy.face.height = symbol;
    const texture = this.#labels[name];
    copy.label.visible = texture !== undefined;
    if (texture) fitLabel(copy.label, texture, symbol);
    copy.box.position.set(x, y);
    copy.box.scale.set(scale);
    copy.box.visible = true;
  }

  /** Draws the line through the winning cells. The rest is dotted. Returns how many sprites it uses. */
  #line(
    line: readonly number[],
    count: number,
    part: number,
    alpha: number,
  ): { beams: number; dots: number } {
    const points = line.map((row, reel) => this.#centre(reel, row));
    const [first] = points;
    if (!first) return { beams: 0, dots: 0 };
    const path = [[-12, first[1]] as const, ...points.slice(0, count)];
    const lengths = path.slice(1).map(([x, y], i) => {
      const [fromX, fromY] = path[i] ?? [x, y];
      return Math.hypot(x - fromX, y - fromY);
    });
    let left = lengths.reduce((sum, length) => sum + length, 0) * part;
    for (const [i, length] of lengths.entries()) {
      const beam = this.#beams[i];
      const [fromX, fromY] = path[i] ?? [0, 0];
      const [toX, toY] = path[i + 1] ?? [0, 0];
      if (!beam) break;
      beam.position.set(fromX, fromY);
      beam.rotation = Math.atan2(toY - fromY, toX - fromX);
      beam.width = Math.max(0, Math.min(left, length));
      beam.height = 22;
      beam.alpha = left > 0 ? alpha : 0;
      beam.visible = true;
      left -= length;
    }
    return { beams: lengths.length, dots: part >= 1 ? this.#dotted(points.slice(count - 1)) : 0 };
  }

  #dotted(points: readonly (readonly [number, number])[]): number {
    const last = points.at(-1);
    if (!last) return 0;
    const { width } = this.#size;
    const path = [...points, [last[0] + width / 2 + 8, last[1]] as const];
    let used = 0;
    for (const [i, [x, y]] of path.slice(1).entries()) {
      const [fromX, fromY] = path[i] ?? [x, y];
      const steps = Math.max(1, Math.round(Math.hypot(x - fromX, y - fromY) / 11));
      for (let at = 1; at <= steps; at += 1) {
        const dot = this.#dots[used];
        if (!dot) return used;
        used += 1;
        dot.position.set(fromX + ((x - fromX) * at) / steps, fromY + ((y - fromY) * at) / steps);
        dot.width = 7;
        dot.height = 7;
        dot.alpha = 0.55;
        dot.visible = true;
      }
    }
    return used;
  }

  #centre(reel: number, row: number): readonly [number, number] {
    const { width, height } = this.#size;
    return [reel * (width + gap) + width / 2, (row + 0.5) * height];
  }
}
