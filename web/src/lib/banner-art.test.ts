import { expect, test } from 'vitest';

import { bannerSet, smallBanner } from './banner-art.ts';

test('a banner of this site has two sizes', () => {
  const image = '/m/art/banners/trial-rtl.webp';
  expect(bannerSet(image)).toBe(`${smallBanner(image)} 720w, ${image} 1080w`);
});

test.each(['https://cdn.test/m/art/banners/a.webp', '/m/art/tiles/a.webp', ''])(
  '%j has one size',
  (image) => expect(bannerSet(image)).toBeUndefined(),
);
