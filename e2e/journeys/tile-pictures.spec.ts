import type { Locator } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Lobby } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { expect, test } from '../support/test.ts';

const small = /\/m\/art\/tiles\/[^/.]+\.small\.webp$/;
const large = /\/m\/art\/tiles\/[^/.]+\.webp$/;

const fileOf = (picture: Locator) =>
  picture.evaluate((image: HTMLImageElement) => (image.naturalWidth > 0 ? image.currentSrc : ''));

/** Tiles are wider in the lobby, where two fit next to the menu. */
for (const { density, home, lobby } of [
  { density: 1, home: small, lobby: small },
  { density: 2, home: small, lobby: large },
  { density: 3, home: large, lobby: large },
]) {
  test.describe(`at a device pixel ratio of ${density}`, () => {
    // The width of the widest phones.
    test.use({ deviceScaleFactor: density, viewport: { width: 414, height: 844 } });

    test(
      `LB-04 background image part: a tile loads the size for density ${density}, and a small tile loads the small size`,
      { tag: '@soak' },
      async ({ page, open }) => {
        const requested = new Set<string>();
        page.on('request', (request) => requested.add(request.url()));
        const first = new Home(page).tiles.first().locator('img');
        await open('/m/home');
        await expect.poll(() => fileOf(first)).toMatch(home);
        if (home === small) expect([...requested].filter((url) => large.test(url))).toEqual([]);
        await page.goto('/m/game?category=FISH');
        await expect
          .poll(() => fileOf(new Lobby(page).tiles.first().locator('img')))
          .toMatch(lobby);
        const before = new Set(requested);
        await page.goto('/m/winnerBoard');
        const winner = new Front(page).main.getByRole('listitem').first().locator('img');
        await expect.poll(() => fileOf(winner)).toMatch(/\.webp$/);
        // A browser may show a larger cached picture, but fetches none.
        const file = await fileOf(winner);
        if (!before.has(file)) expect(file).toMatch(small);
      },
    );
  });
}
