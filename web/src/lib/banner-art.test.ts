import { expect, test } from 'vitest';

import { bannerSet, smallBanner } from './banner-art.ts';

test('a banner of the house is there in two sizes, as the painter names them', () => {
  const image = '/m/art/banners/trial-rtl.webp';
  expect(bannerSet(image)).toBe(`${smallBanner(image)} 720w, ${image} 1080w`);
});

test.each(['https://cdn.test/m/art/banners/a.webp', '/m/art/tiles/a.webp', ''])(
  '%j is there in one size',
  (image) => expect(bannerSet(image)).toBeUndefined(),
);
