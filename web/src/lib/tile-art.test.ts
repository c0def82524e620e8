import { expect, test } from 'vitest';

import { tileSet } from './tile-art.ts';

test('a tile of our own is there in two sizes', () => {
  expect(tileSet('/m/art/tiles/rng-001.webp')).toBe(
    '/m/art/tiles/rng-001.small.webp 240w, /m/art/tiles/rng-001.webp 360w',
  );
});

test.each([
  ['none yet', ''],
  ['of another host', 'https://cdn.test/m/art/tiles/rng-001.webp'],
  ['of a vendor', '/pictures/rng-001.webp'],
  ['that stands for others', '/m/art/tiles/default.webp'],
])('a picture %s is there in one', (_, art) => {
  expect(tileSet(art)).toBeUndefined();
});
