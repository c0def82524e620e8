import { expect, type Page } from '@playwright/test';

/** Stops the page's clock, which must be installed before the page is opened. */
export async function stopClock(page: Page): Promise<void> {
  // pauseAt needs a time in the future. 10 s allows for a slow page.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}

/** Waits until the page has painted its latest state. */
export async function nextPaint(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Advances the clock in small steps until the condition holds. */
export async function advanceUntil(
  page: Page,
  step: number,
  condition: () => Promise<boolean>,
): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(step);
    expect(await condition()).toBe(true);
  }).toPass({ intervals: [20], timeout: 60_000 });
}
