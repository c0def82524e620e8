import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { Register } from '../pages/register.ts';
import { expect, test, type Theme } from '../support/test.ts';
import { languages, type Language } from '../support/text.ts';

type Screen = {
  name: string;
  path: string;
  member?: boolean;
  /** Brings the screen into the state that is looked at. */
  settle: (page: Page, language: Language) => Promise<void>;
};

const screens: Screen[] = [
  { name: 'home of a visitor', path: '/m/home', settle: homeStands },
  { name: 'home of a member', path: '/m/home', member: true, settle: homeStands },
  {
    name: 'login',
    path: '/m/login',
    settle: async (page, language) => expect(new Login(page, language).submit).toBeVisible(),
  },
  {
    name: 'login with errors',
    path: '/m/login',
    settle: async (page, language) => {
      const login = new Login(page, language);
      await login.submit.tap();
      await expect(page.getByText(login.text('Enter password'))).toBeVisible();
    },
  },
  {
    name: 'login with a captcha',
    path: '/m/login',
    settle: async (page, language) => new Login(page, language).failAskingForCaptcha(),
  },
  {
    name: 'registration',
    path: '/m/register',
    settle: async (page, language) => expect(new Register(page, language).submit).toBeVisible(),
  },
  {
    name: 'registration with errors',
    path: '/m/register',
    settle: async (page, language) => {
      const register = new Register(page, language);
      await register.submit.tap();
      await expect(register.field('username')).toHaveAttribute('aria-invalid', 'true');
    },
  },
  {
    name: 'menu',
    path: '/m/home',
    member: true,
    settle: async (page, language) => {
      await homeStands(page, language);
      await new Menu(page, language).open();
    },
  },
  {
    name: 'question before logout',
    path: '/m/home',
    member: true,
    settle: async (page, language) => {
      const home = new Home(page, language);
      await home.logoutButton.tap();
      await expect(home.question).toBeVisible();
    },
  },
  {
    name: 'a screen that is not open yet',
    path: '/m/activity',
    settle: async (page, language) =>
      expect(page.getByText(new Home(page, language).text('Not open yet'))).toBeVisible(),
  },
  {
    name: 'components',
    path: '/dev/ui',
    settle: async (page) =>
      expect(page.getByRole('button', { name: 'refuse', exact: true })).toBeVisible(),
  },
];

async function homeStands(page: Page, language: Language): Promise<void> {
  const home = new Home(page, language);
  await expect(home.tiles).toHaveCount(21);
  await expect(home.banners).toBeVisible();
}

for (const { name, path, member = false, settle } of screens) {
  for (const theme of ['dark', 'light'] as const) {
    test(`no barrier: ${name}, ${theme}, in every language`, async ({ page, open, login }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const session = member ? await login() : undefined;
      for (const language of languages) {
        await test.step(language, async () => {
          await open(path, { language, theme, ...(session && { session }) });
          await look(page, { language, theme });
          await settle(page, language);
          const { violations } = await new AxeBuilder({ page }).analyze();
          const told = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
          );
          expect(told).toEqual([]);
        });
      }
    });
  }
}

/** The tab was prepared for the first language only: the next ones are set in its storage. */
async function look(
  page: Page,
  { language, theme }: { language: Language; theme: Theme },
): Promise<void> {
  if ((await page.locator('html').getAttribute('lang')) === language) return;
  await page.evaluate(
    ([lang, shown]) => {
      localStorage.setItem('lang', lang);
      localStorage.setItem('theme', shown);
    },
    [language, theme] as const,
  );
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}
