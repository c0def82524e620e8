import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { demo, expect, test } from '../support/test.ts';

for (const language of ['vi', 'ur'] as const) {
  for (const theme of ['dark', 'light'] as const) {
    const tag = (language === 'vi') === (theme === 'dark') ? [] : ['@soak'];
    test(
      `a visitor opens home, logs in, sees the balance update, and logs out: ${language}, ${theme}`,
      { tag },
      async ({ page, open, server }) => {
        const home = new Home(page, language);
        await test.step('home', async () => {
          await open('/m/home', { language, theme });
          await expect(page.locator('html')).toHaveAttribute('lang', language);
          await expect(page.locator('html')).toHaveAttribute(
            'dir',
            language === 'ur' ? 'rtl' : 'ltr',
          );
          await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
          await expect(home.banners).toBeVisible();
          await expect(home.tiles).toHaveCount(21);
          await expect(home.balance).toHaveCount(0);
        });
        await test.step('login', async () => {
          await home.loginLink.tap();
          await expect(page).toHaveURL('/m/login');
          await new Login(page, language).logIn(demo.name, demo.password);
          await expect(page).toHaveURL('/m/home');
        });
        await test.step('balance', async () => {
          await expect(home.balance).toBeVisible();
          await expect(home.header).toContainText('VIP 3');
          const before = await home.balanceValue();
          expect(before).toBeGreaterThan(0);
          await server.adjust(demo.name, 250_000);
          // The event stream updates the balance without a reload or a tap. Another test may change it too.
          await expect.poll(() => home.balanceValue()).toBeGreaterThanOrEqual(before + 250_000);
        });
        await test.step('logout', async () => {
          await home.logOut();
          await expect(home.loginLink).toBeVisible();
          await expect(page).toHaveURL('/m/home');
          await expect(home.balance).toHaveCount(0);
        });
      },
    );
  }
}

test('opening a game as a visitor shows the login first, then the game', async ({ page, open }) => {
  const home = new Home(page);
  await open('/m/home');
  await home.tiles.first().getByRole('link').tap();
  await expect(page).toHaveURL(/\/m\/login\?return=/);
  await new Login(page).logIn(demo.name, demo.password);
  await expect(page).toHaveURL(/\/m\/launchGame\?/);
});
