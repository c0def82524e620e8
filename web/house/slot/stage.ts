// The canvas of the slot: its reels in their window, the light of a win, and its coins. It draws only while something
// moves. It decides nothing: what the reels stop on is told by the server.
import 'pixi.js/unsafe-eval';
import { Container, Graphics, Ticker, WebGLRenderer } from 'pixi.js';

import { paceGuard } from '../kit/pace.ts';
import { Coins } from './coins.ts';
import { type Fall, fallOf, wonCells } from './fall.ts';
import { gap, type Layout, reelsWidth } from './layout.ts';
import { type Labels, Reel } from './reel.ts';
import type { Grid, Step, Win } from './session.ts';
import { labelTexture, loadLabelFont, loadTextures, type Textures } from './textures.ts';
import type { ThemeName } from './themes.ts';
import { fallAt, type Landing, landingAfter, turnAt } from './timing.ts';
import { light, litIn, WinLight } from './win-light.ts';

/** Beside the frame, for what reaches over it. */
export const margin = 20;

/** How clearly cells are seen that have no part in what is shown. */
const dimmed = 0.42;

/** Sharper than this no eye sees it, and every pixel costs. */
const sharpest = 2;
const coarser = 1.5;

type Spin = {
  at: number;
  from: readonly number[];
  landing: (Landing & { to: readonly number[]; answered: number }) | null;
  stopped: number;
};

type Shown = { step: Step; at: number; plain: boolean };

/** What has won vanishes, and others fall after it. */
type Falling = Fall & { from: Step; to: Grid; at: number };

/** How often several wins are gone through. */
const turns = 3;

type Hooks = {
  reelStopped: () => void;
  /** All reels stand and the time for the result has come. */
  landed: () => void;
  /** What fell has come to rest. */
  fallen: () => void;
  /** Another of several wins is lit now. */
  lit: (win: Win) => void;
};

export type Machine = {
  strips: readonly (readonly string[])[];
  rows: number;
  paylines: readonly (readonly number[])[];
  /** Empty where there is none. */
  wild: string;
  scatter: string;
};

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Container();
  readonly #board = new Container();
  readonly #window = new Graphics();
  readonly #reels: readonly Reel[];
  readonly #light: WinLight;
  readonly #coins: Coins;
  readonly #machine: Machine;
  readonly #hooks: Hooks;
  readonly #guard = paceGuard();
  #labels: Labels = {};
  #layout: Layout | null = null;
  #spin: Spin | null = null;
  #shown: Shown | null = null;
  #falling: Falling | null = null;
  #calm = false;
  #particles = true;
  #frame = 0;
  #later = 0;
  #before = 0;
  /** Something was changed from outside since the last picture. */
  #stale = false;
  #lit: Win | null = null;
  /** How far the win that is lit has been drawn; what is done is not drawn again. */
  #drawn = -1;

  static async open(machine: Machine, theme: ThemeName, hooks: Hooks): Promise<Stage> {
    const canvas = document.createElement('canvas');
    const renderer = new WebGLRenderer();
    // The engine would look in every frame whether there is something to tidy up, reels that stand or not.
    Ticker.system.autoStart = false;
    Ticker.system.stop();
    const [textures] = await Promise.all([
      loadTextures(theme),
      renderer.init({
        canvas,
        width: 10,
        height: 10,
        backgroundAlpha: 0,
        antialias: true,
        autoDensity: true,
        resolution: Math.min(devicePixelRatio, sharpest),
        // What the engine would load for other games is not needed here.
        skipExtensionImports: true,
      }),
    ]);
    return new Stage(renderer, textures, machine, hooks);
  }

  private constructor(renderer: WebGLRenderer, textures: Textures, machine: Machine, hooks: Hooks) {
    this.#renderer = renderer;
    this.canvas = renderer.canvas;
    this.#machine = machine;
    this.#hooks = hooks;
    const { strips: all, rows } = machine;
    this.#reels = all.map((strip) => new Reel(strip, rows, textures));
    this.#light = new WinLight({ reels: all.length, rows }, textures);
    this.#coins = new Coins(textures);
    const strips = new Container();
    strips.addChild(...this.#reels.map(({ root }) => root));
    strips.mask = this.#window;
    this.#board.addChild(
      this.#light.below,
      strips,
      this.#window,
      this.#light.above,
      this.#coins.root,
    );
    this.#scene.addChild(this.#board);
  }

  /** The words on the two special symbols. */
  async name(wild: string, scatter: string): Promise<void> {
    await loadLabelFont(wild + scatter);
    this.#labels = {
      [this.#machine.wild]: labelTexture(wild, ['#e0243c', '#8d0c25']),
      [this.#machine.scatter]: labelTexture(scatter, ['#5b3bea', '#2d169a']),
    };
    if (this.#layout) this.place(this.#layout);
  }

  place(layout: Layout): void {
    this.#layout = layout;
    const { cell, symbol, frame, hero } = layout;
    this.#renderer.resize(frame.width + 2 * margin, frame.height + hero + margin);
    const across = reelsWidth(cell.width, this.#reels.length);
    this.#board.position.set(margin + (frame.width - across) / 2, hero + frame.pad);
    this.#window
      .clear()
      .rect(0, 0, across, cell.height * this.#machine.rows)
      .fill(0xffffff);
    const size = { ...cell, symbol };
    for (const [i, reel] of this.#reels.entries()) {
      reel.root.position.set(i * (cell.width + gap), 0);
      reel.resize(size, this.#labels);
    }
    this.#light.resize(size, this.#labels);
    this.#wake();
  }

  /** Without motion results come in by fading. */
  calm(calm: boolean): void {
    this.#calm = calm;
  }

  /** Stands still on these stops; where others fell after what they showed, on that. */
  rest(stops: readonly number[], grid?: Grid): void {
    for (const [i, reel] of this.#reels.entries()) {
      const names = grid?.[i];
      if (names) reel.hold(stops[i] ?? 0, names);
      else reel.stand(stops[i] ?? 0);
    }
    this.#wake();
  }

  /** The tap was at this time. */
  spin(at: number): void {
    this.clear();
    this.#spin = { at, from: this.#reels.map(({ top }) => top), landing: null, stopped: 0 };
    this.#wake();
  }

  /** The reels learn where to stop. Without a result they go back to where they were. */
  land(stops: readonly number[] | null, now: number): void {
    const spin = this.#spin;
    if (!spin || spin.landing) return;
    const answered = now - spin.at;
    spin.landing = {
      ...landingAfter(answered, this.#reels.length),
      to: stops ?? spin.from,
      answered,
    };
    this.#wake();
  }

  /** Marks what has won, lets it vanish and the others fall after it. */
  fall(from: Step, to: Step): void {
    this.clear();
    const { scatter } = this.#machine;
    this.#falling = { ...fallOf(from, to.grid, scatter), from, to: to.grid, at: performance.now() };
    this.#wake();
  }

  /** Lights what a step has won. */
  show(step: Step, plain: boolean, coins: number): void {
    this.#shown = { step, at: performance.now(), plain };
    if (coins > 0 && this.#particles && !this.#calm && this.#layout) {
      const { frame } = this.#layout;
      this.#coins.burst(coins, frame.width, frame.height);
    }
    this.#wake();
  }

  clear(): void {
    this.#shown = null;
    this.#falling = null;
    this.#lit = null;
    this.#light.clear();
    this.#coins.clear();
    for (const reel of this.#reels) {
      reel.light();
      reel.root.alpha = 1;
    }
    this.#wake();
  }

  #wake(): void {
    this.#stale = true;
    this.#next();
  }

  #next(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw);
  }

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    const took = now - this.#before;
    this.#before = now;
    const turning = this.#turn(now);
    const moving = this.#drop(now) || turning || this.#coins.active;
    const { next, changed } = this.#illuminate(now);
    if (this.#coins.active) this.#coins.step(took / 1000);
    // A win stays lit for a while: until the next one there is not even a frame.
    if (moving || changed || this.#stale) {
      this.#stale = false;
      this.#renderer.render(this.#scene);
    }
    clearTimeout(this.#later);
    if (moving || next === 0 || this.#coins.active) {
      if (moving || changed) this.#watch(took);
      this.#next();
    } else if (next < Infinity) this.#later = window.setTimeout(() => this.#next(), next);
  };

  /** Leaves things out where the device cannot keep up. */
  #watch(took: number): void {
    const ease = this.#guard(took);
    if (ease === 'none') return;
    this.#particles = false;
    this.#coins.clear();
    if (ease === 'pixels' && this.#renderer.resolution > coarser && this.#layout) {
      this.#renderer.resolution = coarser;
      this.place(this.#layout);
    }
  }

  /** Moves the reels; true while any moves. */
  #turn(now: number): boolean {
    const spin = this.#spin;
    if (!spin) return false;
    const time = Math.max(0, now - spin.at);
    const { landing } = spin;
    if (this.#calm) this.#fade(time, spin);
    else {
      for (const [i, reel] of this.#reels.entries()) {
        const to = landing && { stop: landing.to[i] ?? 0, at: landing.stops[i] ?? 0 };
        reel.show(turnAt(time, spin.from[i] ?? 0, to, landing?.answered));
      }
    }
    if (!landing) return true;
    const stopped = landing.stops.filter((at) => time >= at).length;
    for (; spin.stopped < stopped; spin.stopped += 1) if (!this.#calm) this.#hooks.reelStopped();
    if (time < landing.result) return true;
    this.#spin = null;
    this.rest(landing.to);
    this.#hooks.landed();
    return true;
  }

  /** Without motion: what was there fades away, what came fades in before the result is told. */
  #fade(time: number, { landing }: Spin): void {
    const length = 200;
    const gone = Math.max(0.25, 1 - time / length);
    const result = landing?.result ?? Infinity;
    const coming = (time - (result - length)) / length;
    for (const [i, reel] of this.#reels.entries()) {
      if (landing && coming > 0) reel.stand(landing.to[i] ?? 0);
      reel.root.alpha = coming > 0 ? Math.min(1, 0.25 + coming) : gone;
    }
  }

  /** Moves what falls; true while any does. */
  #drop(now: number): boolean {
    const falling = this.#falling;
    if (!falling) return false;
    const { from, to, gone, drops } = falling;
    const time = Math.max(0, now - falling.at);
    const { vanished, fallen, over } = fallAt(time);
    if (vanished === 0) {
      const cells = wonCells(from.wins);
      const [first] = from.wins;
      if (first) this.#mark({ ...first, line: 0, cells }, from.grid, time, true);
      return true;
    }
    this.#light.clear();
    for (const [i, reel] of this.#reels.entries()) {
      reel.light();
      if (vanished < 1) {
        for (const [row, vanishes] of (gone[i] ?? []).entries())
          if (vanishes) reel.fade(row, 1 - vanished, !this.#calm);
      } else {
        // Without motion the others are there at once.
        const left = this.#calm ? 0 : 1 - fallen;
        reel.fall(
          to[i] ?? [],
          (drops[i] ?? []).map((rows) => rows * left),
        );
      }
    }
    if (!over) return true;
    this.#falling = null;
    this.#hooks.fallen();
    return true;
  }

  /** Lights the wins one after another: in how many milliseconds something changes again, and whether something has. */
  #illuminate(now: number): { next: number; changed: boolean } {
    const shown = this.#shown;
    const wins = shown?.step.wins ?? [];
    const time = shown ? Math.max(0, now - shown.at) : 0;
    const at = Math.floor(time / light.each);
    const win = wins[at % wins.length];
    if (!shown || !win) return { next: Infinity, changed: false };
    // Only the first is drawn stroke by stroke, and nothing is where there is to be no motion.
    const whole = at > 0 || shown.plain || this.#calm;
    const since = whole ? litIn : Math.min(time, litIn);
    const changed = this.#lit !== win || this.#drawn !== since || this.#stale;
    if (changed) this.#mark(win, shown.step.grid, since, shown.plain);
    this.#drawn = since;
    if (this.#lit !== win) {
      this.#lit = win;
      this.#hooks.lit(win);
    }
    if (since < litIn) return { next: 0, changed };
    const over = wins.length === 1 || at >= wins.length * turns;
    return { next: over ? Infinity : light.each * (at + 1) - time, changed };
  }

  #mark(win: Win, grid: Grid, time: number, plain: boolean): void {
    const line = win.line > 0 ? (this.#machine.paylines[win.line - 1] ?? null) : null;
    this.#dim(win, plain && line ? 0 : Math.min(1, time / light.dim));
    this.#light.show({ win, grid, wild: this.#machine.wild, line, time, plain });
  }

  #dim(win: Win, part: number): void {
    const alpha = 1 - (1 - dimmed) * part;
    const { rows } = this.#machine;
    const mine = new Set(win.cells.map(([reel, row]) => reel * rows + row));
    for (const [i, reel] of this.#reels.entries()) {
      // Those that won are drawn again above the line.
      for (let row = 0; row < rows; row += 1) reel.dim(row, mine.has(i * rows + row) ? 0 : alpha);
    }
  }
}
