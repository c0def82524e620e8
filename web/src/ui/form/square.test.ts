import { expect, test } from 'vitest';

import { largestSquare, moveSquare, maxZoom, zoomSquare } from './square.ts';

test('largestSquare is centred', () => {
  expect(largestSquare(400, 200)).toMatchObject({ x: 100, y: 0, edge: 200, zoom: 1 });
  expect(largestSquare(200, 600)).toMatchObject({ x: 0, y: 200, edge: 200, zoom: 1 });
});

test('moves and zooms stay inside the picture', () => {
  let square = largestSquare(640, 480);
  const steps: [number, number, number][] = [
    [9, 9, 1],
    [0, 0, 3],
    [-9, 0.3, 1],
    [0.2, -9, 0.5],
    [9, -9, 100],
    [-0.5, 0.5, 0.001],
  ];
  for (const [right, down, by] of steps) {
    square = zoomSquare(moveSquare(square, right, down), by);
    expect(square.x).toBeGreaterThanOrEqual(0);
    expect(square.y).toBeGreaterThanOrEqual(0);
    expect(square.x + square.edge).toBeLessThanOrEqual(640);
    expect(square.y + square.edge).toBeLessThanOrEqual(480);
    expect(square.zoom).toBeGreaterThanOrEqual(1);
    expect(square.zoom).toBeLessThanOrEqual(maxZoom);
  }
});

test('zooms around the centre', () => {
  expect(zoomSquare(largestSquare(400, 400), 2)).toMatchObject({
    x: 100,
    y: 100,
    edge: 200,
    zoom: 2,
  });
});
