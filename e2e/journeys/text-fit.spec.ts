import type { Locator } from '@playwright/test';

import { GameList } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';
import { languages } from '../support/text.ts';

/** Lists the texts that are not fully visible. */
async function cutOffTexts(texts: Locator): Promise<string[]> {
  await waitForFonts(texts);
  return texts.evaluateAll((all) =>
    all
      .filter(
        (element) =>
          element.scrollHeight > element.clientHeight + 1 ||
          element.scrollWidth > element.clientWidth + 1 ||
          element.getClientRects().length === 0,
      )
      .map((element) => element.textContent),
  );
}

/** Waits for the fonts, because other fonts have other widths. */
async function waitForFonts(texts: Locator): Promise<void> {
  await texts.page().evaluate(() => document.fonts.ready.then(() => null));
}

/** Lists the banners whose text touches an edge. */
function crowdedBanners(banners: Locator): Promise<string[]> {
  return banners.evaluateAll((all) =>
    all
      .filter((element) => {
        const box = element.getBoundingClientRect();
        const words = [...element.querySelectorAll(':scope > span > span')].map((span) =>
          span.getBoundingClientRect(),
        );
        return words.some(({ top, bottom }) => top < box.top + 3 || bottom > box.bottom - 3);
      })
      .map((element) => element.textContent),
  );
}

/** Lists the words that are broken across lines. */
async function brokenWords(texts: Locator): Promise<string[]> {
  await waitForFonts(texts);
  return texts.evaluateAll((all) => {
    const brokenOnes: string[] = [];
    for (const element of all) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of node.nodeValue!.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = Array.from(range.getClientRects(), ({ top }) => Math.round(top));
          if (new Set(lines).size > 1) brokenOnes.push(word);
        }
      }
    }
    return brokenOnes;
  });
}

for (const language of languages) {
  test(
    `ST-04 words part: no word of the popup or of the game centre is broken: ${language}`,
    inGate(language === 'ur'),
    async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 780 });
      await open('/m/home', { language, popups: true });
      const popup = page.getByRole('dialog');
      await expect(popup).toBeVisible();
      expect(await brokenWords(popup)).toEqual([]);
      await page.goto('/m/gameCenter');
      const main = new Home(page, language).main;
      await expect(main.getByRole('link').first()).toBeVisible();
      expect(await brokenWords(main)).toEqual([]);
    },
  );

  for (const width of [360, 390]) {
    test(
      `HM-03 RG-10 words part: headlines of banners are not cut off: ${language}, ${width}`,
      inGate(width === 360 && language === 'vi'),
      async ({ page, open }) => {
        await page.setViewportSize({ width, height: 780 });
        const home = new Home(page, language);
        await open('/m/home', { language });
        const slides = home.banners.getByRole('listitem');
        // Four banners of home and one of the live tables.
        await expect(slides).toHaveCount(5);
        expect(await cutOffTexts(slides.locator('a > span > span:nth-child(2)'))).toEqual([]);
        expect(await crowdedBanners(slides.locator('a'))).toEqual([]);

        await home.goTo('/m/register');
        const registerBanners = home.main
          .getByRole('listitem')
          .filter({ has: page.locator('a > span') });
        await expect(registerBanners).toHaveCount(2);
        expect(await cutOffTexts(registerBanners.locator('a > span > span:nth-child(2)'))).toEqual(
          [],
        );
        expect(await crowdedBanners(registerBanners.locator('a'))).toEqual([]);
      },
    );

    test(
      `LB-04 names part: names under tiles are not cut off: ${language}, ${width}`,
      inGate(width === 360 && (language === 'vi' || language === 'ur')),
      async ({ page, open }) => {
        await page.setViewportSize({ width, height: 780 });
        await open('/m/gameList?gameType=RNG', { language });
        const list = new GameList(page, language);
        await expect(list.tiles).toHaveCount(21);
        const names = list.main.locator('article ~ p');
        await expect(names).toHaveCount(21);
        expect(await cutOffTexts(names)).toEqual([]);
      },
    );
  }
}
