import { expect, test } from 'vitest';

import machine from '../../../internal/game/house/slot/version1.json';
import {
  atlasSize,
  type Frame,
  effects,
  blurredFrame,
  symbolFrame,
  symbols,
} from './slot-atlas.ts';

test('the atlas has exactly the symbols of the machine', () => {
  expect(symbols.toSorted()).toEqual(machine.symbols.toSorted());
});

test('no two frames touch, and the atlas fits the texture size of every phone', () => {
  const frames: Frame[] = [
    ...symbols.map(symbolFrame),
    ...symbols.map(blurredFrame),
    ...Object.values(effects),
  ];
  const touching = frames.filter((a, i) =>
    frames.some(
      (b, j) =>
        i !== j &&
        a.x < b.x + b.width + 4 &&
        b.x < a.x + a.width + 4 &&
        a.y < b.y + b.height + 4 &&
        b.y < a.y + a.height + 4,
    ),
  );
  expect(touching).toEqual([]);
  expect(Math.max(atlasSize.width, atlasSize.height)).toBeLessThanOrEqual(2048);
  for (const { x, y, width, height } of frames) {
    expect(x + width).toBeLessThanOrEqual(atlasSize.width);
    expect(y + height).toBeLessThanOrEqual(atlasSize.height);
  }
});
