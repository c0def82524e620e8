import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { screens } from '../screens/all.ts';
import { openScreen, changeLook, widths } from '../support/look.ts';
import { test } from '../support/test.ts';
import { languages } from '../support/text.ts';

const folder = join(import.meta.dirname, '../results/pictures');

// Pictures for people to look at. The accessibility journeys check the layout.
for (const screen of screens) {
  test(`pictures: ${screen.name}`, async ({ page, open, login }) => {
    await mkdir(folder, { recursive: true });
    await openScreen(screen, { page, open, login });
    const name = screen.name.replaceAll(/[^a-z]+/gi, '-');
    for (const language of languages) {
      for (const theme of ['dark', 'light'] as const) {
        await changeLook(page, language, theme);
        await screen.expectReady(page, language);
        await page.evaluate(() => document.fonts.ready);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          await page.screenshot({
            path: join(folder, `${name}-${language}-${theme}-${width}.png`),
            fullPage: screen.fullPage ?? false,
            scale: 'css',
          });
        }
      }
    }
  });
}
