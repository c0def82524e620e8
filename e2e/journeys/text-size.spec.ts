import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { expect, test } from '../support/test.ts';
import { languages, tagOf } from '../support/text.ts';

for (const language of languages) {
  test(
    `text at twice its size is not cut off: ${language}`,
    tagOf(language),
    async ({ page, open, login }) => {
      await open('/m/home', { language, session: await login() });
      const home = new Home(page, language);
      await expect(home.tiles).toHaveCount(21);
      await expect(home.banners).toBeVisible();
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
        return document.fonts.ready.then(() => null);
      });
      const logo = home.header.locator('svg').nth(1);
      const mark = (await logo.boundingBox())!;
      expect([mark.width, mark.height]).toEqual([36, 36]);

      const words = home.banners.locator('a span').first();
      const banner = (await home.banners.boundingBox())!;
      const text = await words.evaluate((element) => [element.scrollHeight, element.clientHeight]);
      expect(text[0]).toBeLessThanOrEqual(text[1]!);
      expect(banner.height).toBeGreaterThan(250);

      const name = home.header.locator('bdi').first();
      const cut = await name.evaluate((element) => element.scrollWidth > element.clientWidth);
      expect(cut, 'the name is cut').toBe(false);
      const parts = home.banners.locator('a span');
      const overflowing = await parts.evaluateAll((all) =>
        all
          .filter(
            (element) =>
              element.scrollWidth > element.clientWidth + 1 &&
              getComputedStyle(element).textOverflow !== 'ellipsis',
          )
          .map((element) => element.textContent),
      );
      expect(overflowing, 'words beyond their box').toEqual([]);

      const labels = await new App(page, language).bottomMenu.getByRole('link').evaluateAll((all) =>
        all
          .map((element) => element.lastElementChild as HTMLElement)
          .filter(
            (label) =>
              label.scrollWidth > label.clientWidth || label.scrollHeight > label.clientHeight + 1,
          )
          .map((label) => label.textContent),
      );
      expect(labels).toEqual([]);

      await page.setViewportSize({ width: 360, height: 740 });
      const broken = await page.locator('nav a').evaluateAll((links) =>
        links.flatMap((link) => {
          const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
          const brokenWords: string[] = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
              const range = document.createRange();
              range.setStart(node, index);
              range.setEnd(node, index + word.length);
              const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
              if (tops.size > 1) brokenWords.push(word);
            }
          }
          return brokenWords;
        }),
      );
      expect(broken, 'words that break inside').toEqual([]);
    },
  );
}
