import type { Page } from '@playwright/test';

/** From here on time passes only as far as the test says. The page's clock is installed before it is opened. */
export async function stopTime(page: Page): Promise<void> {
  // Far enough ahead that the moment has not passed by when the page hears of it.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}
