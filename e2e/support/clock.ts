import { expect, type Page } from '@playwright/test';

/** From here on time passes only as far as the test says. The page's clock is installed before it is opened. */
export async function stopTime(page: Page): Promise<void> {
  // Far enough ahead that the moment has not passed by when the page hears of it.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}

/** Waits until what the page has just been told is on the screen. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Lets time pass in small steps, however long the page takes, until something holds. */
export async function passUntil(
  page: Page,
  step: number,
  holds: () => Promise<boolean>,
): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(step);
    expect(await holds()).toBe(true);
  }).toPass({ intervals: [20], timeout: 60_000 });
}
