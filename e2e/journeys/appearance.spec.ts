import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { expect, test } from '../support/test.ts';
import { languages } from '../support/text.ts';

test(
  'LY-09 the theme is dark by default and for an invalid choice, and a chosen theme is kept',
  { tag: '@soak' },
  async ({ page, open }) => {
    const html = page.locator('html');
    await open('/m/home');
    await expect(html).toHaveAttribute('data-theme', 'dark');
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();

    const menu = new Menu(page);
    await menu.open();
    await menu.chooseTheme('light');
    await expect(html).toHaveAttribute('data-theme', 'light');
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
    await page.reload();
    await expect(html).toHaveAttribute('data-theme', 'light');

    await page.evaluate(() => localStorage.setItem('theme', 'sepia'));
    await page.reload();
    await expect(html).toHaveAttribute('data-theme', 'dark');

    await page.evaluate(() => localStorage.removeItem('theme'));
    await page.reload();
    await expect(html).toHaveAttribute('data-theme', 'dark');
  },
);

test(
  'a new visitor gets the merchant’s theme and language',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.set('site.theme', 'light');
    await server.set('system.default_language', 'EN');
    try {
      await open('/m/home');
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
      await expect(new Home(page, 'en').hotGames).toBeVisible();
    } finally {
      await server.set('site.theme', 'dark');
      await server.set('system.default_language', 'VI');
    }
  },
);

test('the theme is set before the first paint', async ({ page, open }) => {
  // Without the app's scripts, only the page itself runs.
  await page.route('**/m/assets/**', (route) => route.abort());
  await open('/m/home', { theme: 'light', language: 'ur' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
});

test(
  'LY-10 in part: the language is vi by default, and the main picker offers vi and en',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/login');
    await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
    const login = new Login(page);
    await expect(login.languagePicker.getByRole('option')).toHaveText(['Tiếng Việt', 'English']);
    await login.languagePicker.selectOption('en');
    const english = new Login(page, 'en');
    await expect(english.submit).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('en');
    await page.reload();
    await expect(english.submit).toBeVisible();
  },
);

test('LY-10 in part: a chosen language applies without a reload, and ur is shown from right to left', async ({
  page,
  open,
}) => {
  await open('/m/home');
  await page.evaluate(() => Object.assign(window, { same: true }));
  let menu = new Menu(page);
  await menu.open();
  for (const language of [...languages.slice(1), languages[0]]) {
    menu = await menu.chooseLanguage(language);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ur' ? 'rtl' : 'ltr');
    expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe(language);
  }
  expect(await page.evaluate(() => 'same' in window)).toBe(true);
});

test(
  'game names and announcements follow the language',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/home', { language: 'en' });
    const english = new Home(page, 'en');
    await expect(english.tiles).toHaveCount(21);
    const name = (await english.tiles.first().getByRole('link').textContent()) ?? '';
    const menu = new Menu(page, 'en');
    await menu.open();
    await (await menu.chooseLanguage('vi')).page.keyboard.press('Escape');
    const home = new Home(page, 'vi');
    await expect(home.tiles.first().getByRole('link')).not.toHaveText(name);
  },
);

test(
  'LY-11 the switcher shows only with more than one language',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/wps/system/settings/consolidated*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { value: object };
      Object.assign(body.value, { languages: ['VI'], pickerLanguages: ['VI'] });
      await route.fulfill({ response, json: body });
    });
    await open('/m/login');
    const login = new Login(page);
    await expect(login.submit).toBeVisible();
    await expect(login.languagePicker).toHaveCount(0);
    await page.goto('/m/home');
    const menu = new Menu(page);
    await menu.open();
    await expect(menu.themes).toBeVisible();
    await expect(menu.languages).toHaveCount(0);

    await page.unroute('**/wps/system/settings/consolidated*');
    await page.reload();
    await menu.open();
    await expect(menu.languages).toBeVisible();
    await page.goto('/m/login');
    await expect(login.languagePicker).toBeVisible();
  },
);
