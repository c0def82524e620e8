import type { Locator } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Lobby } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { expect, test } from '../support/test.ts';

const small = /\/m\/art\/tiles\/[^/.]+\.small\.webp$/;
const whole = /\/m\/art\/tiles\/[^/.]+\.webp$/;

/** The file that a picture shows, once it does. */
const shown = (picture: Locator) =>
  picture.evaluate((image: HTMLImageElement) => (image.naturalWidth > 0 ? image.currentSrc : ''));

/** In the lobby, where two stand beside the menu, tiles are wider. */
for (const { density, home, lobby } of [
  { density: 1, home: small, lobby: small },
  { density: 2, home: small, lobby: whole },
  { density: 3, home: whole, lobby: whole },
]) {
  test.describe(`where a point of the page has ${density} across`, () => {
    // As wide as the widest phones of two.
    test.use({ deviceScaleFactor: density, viewport: { width: 414, height: 844 } });

    test(
      `LB-04 background image part: a tile comes in the size for a screen of density ${density}, a small place in the small one`,
      { tag: '@soak' },
      async ({ page, open }) => {
        const asked = new Set<string>();
        page.on('request', (request) => asked.add(request.url()));
        const first = new Home(page).tiles.first().locator('img');
        await open('/m/home');
        await expect.poll(() => shown(first)).toMatch(home);
        // Nor is the other one fetched beside it.
        if (home === small) expect([...asked].filter((each) => whole.test(each))).toEqual([]);
        await page.goto('/m/game?category=FISH');
        await expect.poll(() => shown(new Lobby(page).tiles.first().locator('img'))).toMatch(lobby);
        const before = new Set(asked);
        await page.goto('/m/winnerBoard');
        const winner = new Front(page).main.getByRole('listitem').first().locator('img');
        await expect.poll(() => shown(winner)).toMatch(/\.webp$/);
        // A browser may show a larger picture that it has already; it fetches none.
        const file = await shown(winner);
        if (!before.has(file)) expect(file).toMatch(small);
      },
    );
  });
}
