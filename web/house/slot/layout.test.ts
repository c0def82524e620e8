import { expect, test } from 'vitest';

import { layoutFor } from './layout.ts';

test('a 390 by 844 phone has the reel sizes of the design', () => {
  const { wide, cell, frame, hero } = layoutFor(390, 764, { reels: 5, rows: 3 });
  expect(wide).toBe(false);
  expect(cell).toEqual({ width: 68, height: 91 });
  expect(frame.width).toBeLessThanOrEqual(378);
  expect(hero).toBeGreaterThanOrEqual(180);
});

test.each([3, 4])('on a tablet no empty band is left below %d rows', (rows) => {
  const { frame, hero } = layoutFor(480, 938, { reels: 5, rows });
  expect(938 - (frame.height + hero + 262)).toBeLessThan(60);
});

const rooms = [
  [360, 560],
  [360, 500],
  [390, 584],
  [390, 764],
  [768, 944],
  [664, 390],
  [844, 310],
  [700, 330],
  [1180, 740],
] as const;

test.each([3, 4].flatMap((rows) => rooms.map(([width, height]) => ({ rows, width, height }))))(
  '$rows rows and all around them fit into $width by $height',
  ({ rows, width, height }) => {
    const { wide, frame, hero, cell, symbol } = layoutFor(width, height, { reels: 5, rows });
    expect(frame.width + (wide ? 144 + 24 : 0)).toBeLessThanOrEqual(width);
    expect(frame.height + hero + (wide ? 60 : 250)).toBeLessThanOrEqual(height);
    expect(symbol).toBeLessThan(cell.width);
    expect(symbol).toBeLessThan(cell.height);
    expect(symbol).toBeGreaterThan(rows > 3 ? 28 : 32);
  },
);
