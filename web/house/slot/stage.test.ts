// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';

import { layoutFor } from './layout.ts';
import type { Win } from './session.ts';
import { Stage } from './stage.ts';
import { aStep } from './testing.ts';
import { light, litIn } from './win-light.ts';

const pictures = vi.hoisted(() => ({ count: 0 }));
const ticker = vi.hoisted(() => ({ autoStart: true, stop: vi.fn() }));

vi.mock('pixi.js/unsafe-eval', () => ({}));

/** Nothing is painted here: only how often it would be is counted. */
vi.mock('pixi.js', () => {
  const spot = () => ({ set() {} });
  class Thing {
    position = spot();
    scale = spot();
    anchor = spot();
    addChild() {}
    clear = () => this;
    rect = () => this;
    fill = () => this;
  }
  class WebGLRenderer {
    canvas = document.createElement('canvas');
    resolution = 1;
    init = () => Promise.resolve();
    resize() {}
    render() {
      pictures.count += 1;
    }
  }
  return {
    Container: Thing,
    Graphics: Thing,
    Sprite: Thing,
    NineSliceSprite: Thing,
    Ticker: { system: ticker },
    WebGLRenderer,
  };
});

vi.mock('./textures.ts', () => ({
  loadTextures: () =>
    Promise.resolve({ symbol: () => ({}), streak: () => ({}), piece: () => ({}) }),
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
  pictures.count = 0;
  return () => vi.useRealTimers();
});

/** How many pictures are painted in so many milliseconds. */
function paintedIn(ms: number): number {
  const before = pictures.count;
  vi.advanceTimersByTime(ms);
  return pictures.count - before;
}

async function open(hooks: { lit?: (win: Win) => void } = {}): Promise<Stage> {
  const strips = Array.from({ length: 5 }, () => ['A', 'K', 'Q']);
  const stage = await Stage.open(
    { strips, rows: 3, paylines: [[1, 1, 1, 1, 1]], wild: '', scatter: '' },
    'dragon',
    { reelStopped() {}, landed() {}, fallen() {}, lit() {}, ...hooks },
  );
  stage.place(layoutFor(390, 758, { reels: 5, rows: 3 }));
  paintedIn(100);
  return stage;
}

test('reels that stand are painted once, and again when something about them changes', async () => {
  const stage = await open();
  expect(paintedIn(5000)).toBe(0);
  stage.rest([1, 1, 1, 1, 1]);
  expect(paintedIn(5000)).toBe(1);
});

test('reels that turn are painted in every frame', async () => {
  const stage = await open();
  stage.spin(performance.now());
  expect(paintedIn(1000)).toBeGreaterThan(50);
});

test('a win is painted until it is lit; while it stays lit nothing is, and the next one comes in its turn', async () => {
  const told: number[] = [];
  const stage = await open({ lit: ({ line }) => told.push(line) });
  stage.show(aStep({ wins: [aWin(1), aWin(2)], win: 10_000 }), false, 0);
  expect(paintedIn(litIn)).toBeGreaterThan(25);
  paintedIn(50);
  expect(paintedIn(light.each - litIn - 100)).toBe(0);
  expect(told).toEqual([1]);
  expect(paintedIn(200)).toBe(1);
  expect(told).toEqual([1, 2]);
});

test('no frame is asked for while nothing moves, neither at rest nor while a win stays lit', async () => {
  const stage = await open();
  // The engine's own look in every frame is off, too.
  expect(ticker).toMatchObject({ autoStart: false });
  expect(ticker.stop).toHaveBeenCalled();
  const asked = vi.spyOn(globalThis, 'requestAnimationFrame');
  paintedIn(5000);
  expect(asked).not.toHaveBeenCalled();
  stage.show(aStep({ wins: [aWin(1), aWin(2)], win: 10_000 }), true, 0);
  paintedIn(light.each - 50);
  // One that lights the first, and none until the second.
  expect(asked).toHaveBeenCalledTimes(1);
  // Each of the two three times, and then they stand.
  paintedIn(light.each * 12);
  expect(asked).toHaveBeenCalledTimes(7);
});
