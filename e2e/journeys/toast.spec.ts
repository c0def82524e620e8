import type { Page } from '@playwright/test';

import { App } from '../pages/app.ts';
import { stopClock } from '../support/clock.ts';
import { newGuest } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

/** Expects the toast just before its time is over, and no toast just after. */
async function expectDuration(page: Page, text: string, seconds: number): Promise<void> {
  const toast = page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: text });
  await expect(toast).toBeVisible();
  await page.clock.runFor(seconds * 1000 - 100);
  await expect(toast).toBeVisible();
  await page.clock.runFor(200);
  await expect(toast).toHaveCount(0);
}

test('KO-01 in part: toasts last 3 s (short), 8 s (long), 1 s (success), 2 s (refusal) and 10 s (loading)', async ({
  page,
  open,
}) => {
  await page.clock.install();
  await open('/dev/ui', { language: 'en' });
  await expect(page.getByRole('button', { name: 'plain', exact: true })).toBeVisible();
  await stopClock(page);
  const cases = [
    ['plain', 'Copied', 3],
    ['long', 'A longer message', 8],
    ['success', 'Changes saved', 1],
    ['refuse', 'Please log in with a real account', 2],
    ['error', 'Network unstable', 3],
    ['loading', 'Logging in', 10],
  ] as const;
  for (const [button, text, seconds] of cases) {
    await test.step(button, async () => {
      await page.getByRole('button', { name: button, exact: true }).click();
      await expectDuration(page, text, seconds);
    });
  }
});

test(
  'KO-01 in part: the refusal of a guest shows for 2 s',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    await page.clock.install();
    await open('/m/home', { session: await newGuest(request) });
    const app = new App(page);
    const deposit = app.bottomMenu.getByRole('link', { name: app.text('Deposit') });
    await expect(deposit).toBeVisible();
    await stopClock(page);
    // Uses a key, because the menu hides while a finger scrolls, and the clock is stopped.
    await deposit.press('Enter');
    await expectDuration(page, app.text('Please login an actual account to use this function'), 2);
  },
);

test(
  'KO-01 in part: a logout shows a toast until it is done',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const session = await login();
    const released = Promise.withResolvers<void>();
    await page.route('**/wps/session/logout', async (route) => {
      await released.promise;
      await route.continue();
    });
    await open('/m/home', { session });
    const app = new App(page);
    await expect(app.balance).toBeVisible();
    await page.clock.install();
    await app.logOut();
    const toast = app.toast('Logging out');
    await expect(toast).toBeVisible();
    await page.clock.runFor(12_000);
    await expect(toast).toBeVisible();
    released.resolve();
    await expect(toast).toHaveCount(0);
  },
);
