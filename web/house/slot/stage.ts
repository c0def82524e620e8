// The canvas of the slot: reels, win light and coins. It draws only while something moves.
import 'pixi.js/unsafe-eval';
import { Container, Graphics, Ticker, WebGLRenderer } from 'pixi.js';

import { frameRateGuard } from '../kit/frame-rate.ts';
import { Coins } from './coins.ts';
import { type Fall, computeFall, winningCells } from './fall.ts';
import { gap, type Layout, reelsWidth } from './layout.ts';
import { type Labels, Reel } from './reel.ts';
import type { Grid, Step, Win } from './session.ts';
import { labelTexture, loadLabelFont, loadTextures, type Textures } from './textures.ts';
import type { ThemeName } from './themes.ts';
import { fallAt, type Landing, landingTimes, reelPositionAt } from './timing.ts';
import { lightTimes, litAfterMs, WinLight } from './win-light.ts';

const dimmedAlpha = 0.42;

/** The maximum resolution. Higher ones look the same and are slower. */
const maxResolution = 2;
const reducedResolution = 1.5;

type Spin = {
  at: number;
  from: readonly number[];
  landing: (Landing & { to: readonly number[]; answered: number }) | null;
  stopped: number;
};

type Shown = { step: Step; at: number; plain: boolean };

type Falling = Fall & { from: Step; to: Grid; at: number };

const winCycles = 3;

type Hooks = {
  reelStopped: () => void;
  landed: () => void;
  fallen: () => void;
  /** Called when the stage lights the next of several wins. */
  lit: (win: Win) => void;
};

export type Machine = {
  strips: readonly (readonly string[])[];
  rows: number;
  paylines: readonly (readonly number[])[];
  /** Empty when the slot has none. */
  wild: string;
  scatter: string;
};

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Container();
  readonly #board = new Container();
  readonly #mask = new Graphics();
  readonly #reels: readonly Reel[];
  readonly #light: WinLight;
  readonly #coins: Coins;
  readonly #machine: Machine;
  readonly #hooks: Hooks;
  readonly #frameRate = frameRateGuard();
  #labels: Labels = {};
  #layout: Layout | null = null;
  #spin: Spin | null = null;
  #shown: Shown | null = null;
  #falling: Falling | null = null;
  #reducedMotion = false;
  #particles = true;
  #frame = 0;
  #wakeTimer = 0;
  #lastFrameAt = 0;
  #needsRedraw = false;
  #litWin: Win | null = null;
  /** The part of the win animation already drawn, in milliseconds. */
  #drawnMs = -1;

  static async open(machine: Machine, theme: ThemeName, hooks: Hooks): Promise<Stage> {
    const canvas = document.createElement('canvas');
    const renderer = new WebGLRenderer();
    // The ticker would request a frame all the time, even for reels at rest.
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
        resolution: Math.min(devicePixelRatio, maxResolution),
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
    strips.mask = this.#mask;
    this.#board.addChild(
      this.#light.below,
      strips,
      this.#mask,
      this.#light.above,
      this.#coins.root,
    );
    this.#scene.addChild(this.#board);
  }

  async setLabels(wild: string, scatter: string): Promise<void> {
    await loadLabelFont(wild + scatter);
    this.#labels = {
      [this.#machine.wild]: labelTexture(wild, ['#e0243c', '#8d0c25']),
      [this.#machine.scatter]: labelTexture(scatter, ['#5b3bea', '#2d169a']),
    };
    if (this.#layout) this.resize(this.#layout);
  }

  resize(layout: Layout): void {
    this.#layout = layout;
    const { cell, symbol, frame } = layout;
    // Every pixel beyond the frame would cost time in each frame.
    this.#renderer.resize(frame.width, frame.height);
    const across = reelsWidth(cell.width, this.#reels.length);
    this.#board.position.set((frame.width - across) / 2, frame.pad);
    this.#mask
      .clear()
      .rect(0, 0, across, cell.height * this.#machine.rows)
      .fill(0xffffff);
    const size = { ...cell, symbol };
    for (const [i, reel] of this.#reels.entries()) {
      reel.root.position.set(i * (cell.width + gap), 0);
      reel.resize(size, this.#labels);
    }
    this.#light.resize(size, this.#labels);
    this.#invalidate();
  }

  setReducedMotion(reduced: boolean): void {
    this.#reducedMotion = reduced;
  }

  /** Stops the reels. After a cascade, `grid` replaces the symbols of the strips. */
  stopAt(stops: readonly number[], grid?: Grid): void {
    for (const [i, reel] of this.#reels.entries()) {
      const names = grid?.[i];
      if (names) reel.showSymbols(stops[i] ?? 0, names);
      else reel.stopAt(stops[i] ?? 0);
    }
    this.#invalidate();
  }

  /** Starts the reels; `at` is the time of the tap. */
  spin(at: number): void {
    this.clear();
    this.#spin = { at, from: this.#reels.map(({ top }) => top), landing: null, stopped: 0 };
    this.#invalidate();
  }

  /** Sets the stops. With null the reels return to their last position. */
  land(stops: readonly number[] | null, now: number): void {
    const spin = this.#spin;
    if (!spin || spin.landing) return;
    const answered = now - spin.at;
    spin.landing = {
      ...landingTimes(answered, this.#reels.length),
      to: stops ?? spin.from,
      answered,
    };
    this.#invalidate();
  }

  /** Marks the winning symbols, lets them vanish and the others fall. */
  fall(from: Step, to: Step): void {
    this.clear();
    const { scatter } = this.#machine;
    this.#falling = {
      ...computeFall(from, to.grid, scatter),
      from,
      to: to.grid,
      at: performance.now(),
    };
    this.#invalidate();
  }

  showWins(step: Step, plain: boolean, coins: number): void {
    this.#shown = { step, at: performance.now(), plain };
    if (coins > 0 && this.#particles && !this.#reducedMotion && this.#layout) {
      const { frame } = this.#layout;
      this.#coins.burst(coins, frame.width, frame.height);
    }
    this.#invalidate();
  }

  clear(): void {
    this.#shown = null;
    this.#falling = null;
    this.#litWin = null;
    this.#light.clear();
    this.#coins.clear();
    for (const reel of this.#reels) {
      reel.reset();
      reel.root.alpha = 1;
    }
    this.#invalidate();
  }

  #invalidate(): void {
    this.#needsRedraw = true;
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(this.#draw);
  }

  readonly #draw = (now: number): void => {
    this.#frame = 0;
    const frameMs = now - this.#lastFrameAt;
    this.#lastFrameAt = now;
    const turning = this.#updateReels(now);
    const moving = this.#updateFall(now) || turning || this.#coins.active;
    const { next, changed } = this.#updateWinLight(now);
    if (this.#coins.active) this.#coins.step(frameMs / 1000);
    // While a win stays lit, no frames are requested.
    if (moving || changed || this.#needsRedraw) {
      this.#needsRedraw = false;
      this.#renderer.render(this.#scene);
    }
    clearTimeout(this.#wakeTimer);
    if (moving || next === 0 || this.#coins.active) {
      if (moving || changed) this.#reduceQuality(frameMs);
      this.#requestFrame();
    } else if (next < Infinity)
      this.#wakeTimer = window.setTimeout(() => this.#requestFrame(), next);
  };

  #reduceQuality(frameMs: number): void {
    const ease = this.#frameRate(frameMs);
    if (ease === 'none') return;
    this.#particles = false;
    this.#coins.clear();
    if (ease === 'pixels' && this.#renderer.resolution > reducedResolution && this.#layout) {
      this.#renderer.resolution = reducedResolution;
      this.resize(this.#layout);
    }
  }

  /** Moves the reels. Reports whether any moves. */
  #updateReels(now: number): boolean {
    const spin = this.#spin;
    if (!spin) return false;
    const time = Math.max(0, now - spin.at);
    const { landing } = spin;
    if (this.#reducedMotion) this.#fade(time, spin);
    else {
      for (const [i, reel] of this.#reels.entries()) {
        const to = landing && { stop: landing.to[i] ?? 0, at: landing.stops[i] ?? 0 };
        reel.show(reelPositionAt(time, spin.from[i] ?? 0, to, landing?.answered));
      }
    }
    if (!landing) return true;
    const stopped = landing.stops.filter((at) => time >= at).length;
    for (; spin.stopped < stopped; spin.stopped += 1)
      if (!this.#reducedMotion) this.#hooks.reelStopped();
    if (time < landing.result) return true;
    this.#spin = null;
    this.stopAt(landing.to);
    this.#hooks.landed();
    return true;
  }

  /** With reduced motion the old symbols fade out and the new ones fade in. */
  #fade(time: number, { landing }: Spin): void {
    const length = 200;
    const fadedOut = Math.max(0.25, 1 - time / length);
    const result = landing?.result ?? Infinity;
    const coming = (time - (result - length)) / length;
    for (const [i, reel] of this.#reels.entries()) {
      if (landing && coming > 0) reel.stopAt(landing.to[i] ?? 0);
      reel.root.alpha = coming > 0 ? Math.min(1, 0.25 + coming) : fadedOut;
    }
  }

  /** Moves falling symbols. Reports whether any moves. */
  #updateFall(now: number): boolean {
    const falling = this.#falling;
    if (!falling) return false;
    const { from, to, removed, drops } = falling;
    const time = Math.max(0, now - falling.at);
    const { vanished, fallen, over } = fallAt(time);
    if (vanished === 0) {
      const cells = winningCells(from.wins);
      const [first] = from.wins;
      if (first) this.#drawWin({ ...first, line: 0, cells }, from.grid, time, true);
      return true;
    }
    this.#light.clear();
    for (const [i, reel] of this.#reels.entries()) {
      reel.reset();
      if (vanished < 1) {
        for (const [row, vanishes] of (removed[i] ?? []).entries())
          if (vanishes) reel.fade(row, 1 - vanished, !this.#reducedMotion);
      } else {
        // With reduced motion the new symbols appear at once.
        const left = this.#reducedMotion ? 0 : 1 - fallen;
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

  /** Lights the wins in turn. `next` is the time until the next change, in milliseconds. */
  #updateWinLight(now: number): { next: number; changed: boolean } {
    const shown = this.#shown;
    const wins = shown?.step.wins ?? [];
    const time = shown ? Math.max(0, now - shown.at) : 0;
    const at = Math.floor(time / lightTimes.each);
    const win = wins[at % wins.length];
    if (!shown || !win) return { next: Infinity, changed: false };
    // Only the first win is animated, and none with reduced motion.
    const whole = at > 0 || shown.plain || this.#reducedMotion;
    const since = whole ? litAfterMs : Math.min(time, litAfterMs);
    const changed = this.#litWin !== win || this.#drawnMs !== since || this.#needsRedraw;
    if (changed) this.#drawWin(win, shown.step.grid, since, shown.plain);
    this.#drawnMs = since;
    if (this.#litWin !== win) {
      this.#litWin = win;
      this.#hooks.lit(win);
    }
    if (since < litAfterMs) return { next: 0, changed };
    const over = wins.length === 1 || at >= wins.length * winCycles;
    return { next: over ? Infinity : lightTimes.each * (at + 1) - time, changed };
  }

  #drawWin(win: Win, grid: Grid, time: number, plain: boolean): void {
    const line = win.line > 0 ? (this.#machine.paylines[win.line - 1] ?? null) : null;
    this.#dim(win, plain && line ? 0 : Math.min(1, time / lightTimes.dim));
    this.#light.show({ win, grid, wild: this.#machine.wild, line, time, plain });
  }

  #dim(win: Win, part: number): void {
    const alpha = 1 - (1 - dimmedAlpha) * part;
    const { rows } = this.#machine;
    const mine = new Set(win.cells.map(([reel, row]) => reel * rows + row));
    for (const [i, reel] of this.#reels.entries()) {
      for (let row = 0; row < rows; row += 1) reel.dim(row, mine.has(i * rows + row) ? 0 : alpha);
    }
  }
}
