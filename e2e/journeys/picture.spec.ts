import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { Register } from '../pages/register.ts';
import { expect, test } from '../support/test.ts';
import { languages, type Language } from '../support/text.ts';

const folder = join(import.meta.dirname, '../results/pictures');
const widths = [360, 390, 768];

/** Takes the picture at every width; nothing may be wider than the screen. */
async function shoot(page: Page, name: string, whole = false): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(() => document.fonts.ready);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} at ${width} is too wide`).toBeLessThanOrEqual(0);
    await page.screenshot({
      path: join(folder, `${name}-${width}.png`),
      fullPage: whole,
      scale: 'css',
    });
  }
  await page.setViewportSize({ width: 390, height: 844 });
}

async function homeStands(page: Page, language: Language): Promise<void> {
  const home = new Home(page, language);
  await expect(home.tiles).toHaveCount(21);
  await expect(home.banners).toBeVisible();
  await expect
    .poll(() =>
      home.tiles
        .first()
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
}

for (const language of languages) {
  for (const theme of ['dark', 'light'] as const) {
    test(`pictures at 360, 390 and 768: ${language}, ${theme}`, async ({ page, open, login }) => {
      await mkdir(folder, { recursive: true });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const named = (screen: string) => `${screen}-${language}-${theme}`;

      await open('/m/home', { language, theme });
      await homeStands(page, language);
      await shoot(page, named('home-visitor'));

      await page.goto('/m/login');
      await expect(new Login(page, language).submit).toBeVisible();
      await shoot(page, named('login'));
      await new Login(page, language).failAskingForCaptcha();
      await shoot(page, named('login-captcha'));

      await page.goto('/m/register');
      const register = new Register(page, language);
      await expect(register.submit).toBeVisible();
      await shoot(page, named('register'), true);
      await register.write({ username: 'a', password: 'abc', confirmPassword: 'abcd' });
      await register.submit.tap();
      await expect(register.field('username')).toHaveAttribute('aria-invalid', 'true');
      await shoot(page, named('register-errors'), true);

      await page.goto('/m/activity');
      await expect(page.getByText(new Home(page, language).text('Not open yet'))).toBeVisible();
      await shoot(page, named('not-open'));

      const session = await login();
      await page.evaluate(
        (items) => {
          for (const [key, value] of items) localStorage.setItem(key, String(value));
        },
        Object.entries({ ...session, merchantCode: 'fairground' }),
      );
      await page.goto('/m/home');
      await homeStands(page, language);
      await expect(new Home(page, language).balance).toBeVisible();
      await shoot(page, named('home-member'));

      await new Menu(page, language).open();
      await shoot(page, named('menu'));
    });
  }
}
