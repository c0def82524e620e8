import type { Page } from '@playwright/test';

import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { nextPaint, stopClock } from '../support/clock.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

/** Marks the page. The mark disappears with a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { same: true }));
const isSame = (page: Page) => page.evaluate(() => 'same' in window);

test('a screen that fails to load while the server is down shows an error, and loads with a tap and at most one reload', async ({
  page,
  open,
}) => {
  await open('/m/home');
  const login = new Login(page);
  await expect(login.loginLink).toBeVisible();
  await mark(page);
  await page.route('**/m/**', (route) => route.abort());
  // The page checks the server's release before it reloads itself.
  const releaseCheck = page.waitForEvent('requestfailed', (lost) =>
    lost.url().includes('?release'),
  );
  await login.loginLink.tap();
  const retry = login.main.getByRole('alert').getByRole('button');
  await expect(retry).toBeVisible();
  await releaseCheck;
  expect(await isSame(page)).toBe(true);
  await page.unroute('**/m/**');
  await retry.tap();
  await expect(login.submit).toBeVisible();
  // Chromium never fetches a failed module again. The reload keeps the URL and the history.
  await expect(page).toHaveURL('/m/login');
  await page.goBack();
  await expect(page).toHaveURL('/m/home');
});

for (const [name, pattern] of [
  ['is away', '**/m/**'],
  ['has another release', '**/m/assets/en-*.js'],
] as const) {
  test(
    `ER-03 a language that fails to load keeps the typed values, when the server ${name}`,
    inGate(name === 'is away'),
    async ({ page, open }) => {
      await open('/m/login');
      const login = new Login(page);
      await login.username.fill('player99');
      await login.password.fill('Secret123');
      await mark(page);
      await page.route(pattern, (route) =>
        name === 'is away' ? route.abort() : route.fulfill({ status: 404, body: '' }),
      );
      if (name !== 'is away') {
        await page.route('**/m/index.html*', (route) =>
          route.fulfill({ contentType: 'text/html', body: '<html>another release</html>' }),
        );
      }
      const message = name === 'is away' ? 'errors.network.unstable' : 'A new version is ready';
      await login.expectMessage(message, () => login.languagePicker.selectOption('en'));
      await expect(login.username).toHaveValue('player99');
      await expect(login.password).toHaveValue('Secret123');
      expect(await isSame(page)).toBe(true);
    },
  );
}

test('a file removed by a new release is fetched by a reload', async ({ page, open }) => {
  await open('/m/home');
  const login = new Login(page);
  await expect(login.loginLink).toBeVisible();
  await mark(page);
  await page.route('**/m/assets/LoginScreen-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/m/index.html*', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<html>another release</html>' }),
  );
  const reloaded = page.waitForEvent('load');
  await login.loginLink.tap();
  await reloaded;
  await page.unrouteAll();
  expect(await isSame(page)).toBe(false);
});

test('an error in the menu is shown and announced above it', async ({ page, open, context }) => {
  await page.clock.install();
  await open('/m/home');
  const menu = new Menu(page);
  await menu.open();
  await context.setOffline(true);
  await expect(menu.offlineBar).toBeVisible();
  // The toast stays while the clock is stopped.
  await stopClock(page);
  await menu.languages
    .locator('label')
    .filter({ has: page.locator('input[value=pt]') })
    .tap();
  const toast = page.getByRole('alert').filter({ hasText: menu.text('errors.network.offline') });
  for (const message of [toast, menu.offlineBar]) {
    const [isAnnounced, isAbove] = await message.evaluate((element) => {
      const layer = [...document.body.children].find((child) => child.contains(element))!;
      const sheet = document.querySelector('[role=dialog]')!.parentElement!;
      return [
        element.closest('[aria-hidden=true], [inert]') === null,
        Number(getComputedStyle(layer).zIndex) > Number(getComputedStyle(sheet).zIndex),
      ];
    });
    expect(isAnnounced).toBe(true);
    expect(isAbove).toBe(true);
  }
  const bar = (await menu.offlineBar.boundingBox())!;
  expect((await toast.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  await context.setOffline(false);
});

test(
  'the games stay when the games of another language fail to load',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/home', { language: 'en' });
    const home = new Home(page, 'en');
    await expect(home.tiles).toHaveCount(21);
    const menu = new Menu(page, 'en');
    await menu.open();
    await page.route('**/wps/relay/**', (route) => route.abort());
    let lost = 0;
    page.on('requestfailed', (failed) => {
      if (failed.url().includes('GCSGAME_hotGamesV2')) lost += 1;
    });
    await menu.chooseLanguage('vi');
    await page.keyboard.press('Escape');
    const vietnamese = new Home(page, 'vi');
    await expect(vietnamese.hotGames).toBeVisible();
    await expect.poll(() => lost).toBe(2);
    await nextPaint(page);
    await expect(vietnamese.tiles).toHaveCount(21);
  },
);

test('while a screen loads, its bar with the back button is shown', async ({ page, open }) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  const scriptRelease = Promise.withResolvers<void>();
  await page.route('**/assets/LoginScreen-*.js', async (route) => {
    await scriptRelease.promise;
    await route.continue();
  });
  await app.loginLink.tap();
  await expect(app.title).toHaveText(app.text('Login'));
  await app.main.getByRole('button', { name: app.text('Back') }).tap();
  await expect(page).toHaveURL('/m/home');
  scriptRelease.resolve();
});

test(
  'a failed balance shows an error, and loads with a tap',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    await page.route('**/wps/v2/wallets/balance', (route) =>
      route.fulfill({ status: 503, json: { success: false, errorCode: 'request.timeout' } }),
    );
    await open('/m/home', { session: await login() });
    const app = new App(page);
    const refreshButton = app.header.getByRole('button', { name: app.text('Refresh balance') });
    await expect(refreshButton).toBeVisible();
    await app.expectMessage('errors.request.timeout', () => refreshButton.tap());
    await page.unroute('**/wps/v2/wallets/balance');
    await refreshButton.tap();
    await expect(app.balance).toBeVisible();
  },
);

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test(
    'without a network no picture shows as broken',
    { tag: '@soak' },
    async ({ page, open, context, login }) => {
      await open('/m/home', { session: await login() });
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          // Waits until the worker has cached its files.
          timeout: 240_000,
        })
        .toBe('activated');
      await context.setOffline(true);
      const menu = new Menu(page);
      await menu.open();
      const loadedPictures = (container: ReturnType<typeof page.locator>) =>
        container
          .locator('img')
          .evaluateAll((all) =>
            (all as HTMLImageElement[]).map((image) => image.complete && image.naturalWidth > 0),
          );
      await expect.poll(async () => (await loadedPictures(menu.panel)).length).toBe(4); // the flags
      await expect.poll(() => loadedPictures(menu.panel)).not.toContain(false);
      await menu.panel.getByRole('link', { name: menu.text('Help center') }).tap();
      await expect(
        page.getByRole('heading', { level: 1, name: menu.text('Help center') }),
      ).toBeVisible();
      await context.setOffline(false);
    },
  );
});
