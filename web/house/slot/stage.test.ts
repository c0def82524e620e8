// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { layoutFor } from './layout.ts';
import type { Win } from './session.ts';
import { Stage } from './stage.ts';
import { aStep } from './testing.ts';
import { lightTimes, litAfterMs } from './win-light.ts';

const paints = vi.hoisted(() => ({ count: 0, toggles: 0, size: [0, 0] }));
const ticker = vi.hoisted(() => ({ autoStart: true, stop: vi.fn() }));

vi.mock('pixi.js/unsafe-eval', () => ({}));

/** Counts the paints and the changes of the scene. */
vi.mock('pixi.js', () => {
  const spot = () => ({ set() {} });
  class FakeNode {
    position = spot();
    scale = spot();
    anchor = spot();
    #visible = true;
    /** Showing or hiding a node rebuilds the scene. */
    get visible(): boolean {
      return this.#visible;
    }
    set visible(visible: boolean) {
      if (visible !== this.#visible) paints.toggles += 1;
      this.#visible = visible;
    }
    addChild() {}
    clear = () => this;
    rect = () => this;
    fill = () => this;
  }
  class WebGLRenderer {
    canvas = document.createElement('canvas');
    resolution = 1;
    init = () => Promise.resolve();
    resize(...size: number[]) {
      paints.size = size;
    }
    render() {
      paints.count += 1;
    }
  }
  return {
    Container: FakeNode,
    Graphics: FakeNode,
    Sprite: FakeNode,
    NineSliceSprite: FakeNode,
    Ticker: { system: ticker },
    WebGLRenderer,
  };
});

vi.mock('./textures.ts', () => ({
  loadTextures: () =>
    Promise.resolve({ symbol: () => ({}), blurred: () => ({}), effect: () => ({}) }),
  loadLabelFont: () => Promise.resolve(),
  labelTexture: () => ({ width: 1 }),
}));

const aWin = (line: number): Win => ({
  line,
  ways: 0,
  symbol: 'A',
  count: 3,
  times: 10,
  amount: 5000,
  cells: [
    [0, 1],
    [1, 1],
    [2, 1],
  ],
});

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['performance', 'requestAnimationFrame', 'setTimeout', 'clearTimeout'],
  });
  paints.count = 0;
  return () => vi.useRealTimers();
});

function paintsWithin(ms: number): number {
  const before = paints.count;
  vi.advanceTimersByTime(ms);
  return paints.count - before;
}

async function open(hooks: { lit?: (win: Win) => void } = {}): Promise<Stage> {
  const strips = Array.from({ length: 5 }, () => ['A', 'K', 'Q']);
  const stage = await Stage.open(
    { strips, rows: 3, paylines: [[1, 1, 1, 1, 1]], wild: '', scatter: '' },
    'dragon',
    { reelStopped() {}, landed() {}, fallen() {}, lit() {}, ...hooks },
  );
  stage.resize(layoutFor(390, 758, { reels: 5, rows: 3 }));
  paintsWithin(100);
  return stage;
}

test('reels at rest are painted once, and again when they change', async () => {
  const stage = await open();
  expect(paintsWithin(5000)).toBe(0);
  stage.stopAt([1, 1, 1, 1, 1]);
  expect(paintsWithin(5000)).toBe(1);
});

test('turning reels are painted in every frame', async () => {
  const stage = await open();
  stage.spin(performance.now());
  expect(paintsWithin(1000)).toBeGreaterThan(50);
});

test('a win is painted until it is lit, then nothing until the next win', async () => {
  const lit: number[] = [];
  const stage = await open({ lit: ({ line }) => lit.push(line) });
  stage.showWins(aStep({ wins: [aWin(1), aWin(2)], win: 10_000 }), false, 0);
  expect(paintsWithin(litAfterMs)).toBeGreaterThan(25);
  paintsWithin(50);
  expect(paintsWithin(lightTimes.each - litAfterMs - 100)).toBe(0);
  expect(lit).toEqual([1]);
  expect(paintsWithin(200)).toBe(1);
  expect(lit).toEqual([1, 2]);
});

test('no frame is requested at rest or while a win stays lit', async () => {
  const stage = await open();
  // The ticker of the renderer is off.
  expect(ticker).toMatchObject({ autoStart: false });
  expect(ticker.stop).toHaveBeenCalled();
  const requested = vi.spyOn(globalThis, 'requestAnimationFrame');
  paintsWithin(5000);
  expect(requested).not.toHaveBeenCalled();
  stage.showWins(aStep({ wins: [aWin(1), aWin(2)], win: 10_000 }), true, 0);
  paintsWithin(lightTimes.each - 50);
  // One frame for the first win, and none until the second.
  expect(requested).toHaveBeenCalledTimes(1);
  // Both wins are lit three times.
  paintsWithin(lightTimes.each * 12);
  expect(requested).toHaveBeenCalledTimes(7);
});

test('frames of a lit win show the same nodes, and the canvas is as large as the frame', async () => {
  const stage = await open();
  const { frame } = layoutFor(390, 758, { reels: 5, rows: 3 });
  expect(paints.size).toEqual([frame.width, frame.height]);
  stage.showWins(aStep({ wins: [aWin(1)], win: 5000 }), false, 0);
  paintsWithin(40);
  paints.toggles = 0;
  expect(paintsWithin(litAfterMs - 100)).toBeGreaterThan(20);
  expect(paints.toggles).toBe(0);
});
