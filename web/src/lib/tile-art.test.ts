import { expect, test } from 'vitest';

import { tileSet } from './tile-art.ts';

test('a tile of this site has two sizes', () => {
  expect(tileSet('/m/art/tiles/rng-001.webp')).toBe(
    '/m/art/tiles/rng-001.small.webp 240w, /m/art/tiles/rng-001.webp 360w',
  );
});

test.each([
  ['that is missing', ''],
  ['of another host', 'https://cdn.test/m/art/tiles/rng-001.webp'],
  ['of a vendor', '/pictures/rng-001.webp'],
  ['that is the default', '/m/art/tiles/default.webp'],
])('a picture %s has one size', (_, art) => {
  expect(tileSet(art)).toBeUndefined();
});
