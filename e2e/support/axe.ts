import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect } from './test.ts';

/** Runs axe with the given rules, or with all rules if none are given. */
export async function expectNoViolations(page: Page, rules: string[] = []): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (rules.length > 0) axe.withRules(rules);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  expect.soft(found, 'accessibility violations').toEqual([]);
}

/** The viewport of a phone. */
export const phone = { width: 390, height: 844 };

/** Checks the open screen of the console with all rules, and its colours in the other theme. */
export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.getByRole('main').waitFor();
  await expect(page.locator('.mantine-Loader-root:visible')).toHaveCount(0);
  await expectNoViolations(page);
  const theme = page.getByRole('button', {
    name: /^(Light theme|Giao diện sáng|Dark theme|Giao diện tối)$/,
  });
  await theme.click();
  await expectNoViolations(page, ['color-contrast']);
  await theme.click();
}

/** Checks the open screen of the console on a desktop in English and on a phone in Vietnamese, in both themes. At the end the screen is unchanged. */
export async function expectAccessible(page: Page): Promise<void> {
  const desktop = page.viewportSize();
  await expectNoViolationsInBothThemes(page);
  await page.setViewportSize(phone);
  await speak(page, 'vi');
  await expectNoViolationsInBothThemes(page);
  await speak(page, 'en');
  if (desktop) await page.setViewportSize(desktop);
}

/** Chooses the language of the console. */
export async function speak(page: Page, language: 'en' | 'vi'): Promise<void> {
  await page.getByRole('button', { name: /^(Language|Ngôn ngữ)$/ }).click();
  await page.locator(`[role="menuitem"][lang="${language}"]`).click();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}
