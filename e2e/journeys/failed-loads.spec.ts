import type { Locator } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Login } from '../pages/login.ts';
import { inGate } from '../support/tag.ts';
import { demo, expect, test } from '../support/test.ts';

const first = (role: 'article' | 'listitem' | 'region') => (front: Front) =>
  front.main.getByRole(role).first();

const screens: [path: string, contentOf: (front: Front) => Locator][] = [
  ['/m/home', first('article')],
  ['/m/game', first('article')],
  ['/m/gameList?gameType=RNG', first('article')],
  // The placeholders of loading notices are list items too.
  ['/m/notice', (front) => front.main.getByRole('listitem').getByRole('button').first()],
  ['/m/app', (front) => front.block('Bonuses for installing')],
  ['/m/service', first('listitem')],
  ['/m/userAgreement', first('article')],
  ['/m/policy/privacy', first('article')],
  ['/m/jackpot', first('region')],
  ['/m/winnerBoard', first('listitem')],
  ['/m/slotsCenter', first('article')],
  ['/m/gameCenter', (front) => front.block('Game providers')],
];

for (const [path, contentOf] of screens) {
  test(
    `ER-02 ${path} without responses shows an error, and a tap loads the missing parts`,
    inGate(path === '/m/game'),
    async ({ page, open }) => {
      let isDown = true;
      await page.route('**/wps/**', (route) => (isDown ? route.abort() : route.fallback()));
      await open(path);
      const front = new Front(page);
      const retryButton = front.main.getByRole('button', {
        name: front.text('Load failed, tap to retry'),
      });
      await expect(retryButton.first()).toBeVisible();
      isDown = false;
      const content = contentOf(front);
      await expect(async () => {
        if (!(await content.isVisible())) await retryButton.first().tap({ timeout: 10_000 });
        await expect(content).toBeVisible({ timeout: 10_000 });
      }).toPass({ timeout: 240_000 });
    },
  );
}

test(
  'ER-02 failed banners show an error in place, and one tap loads them and the notices',
  { tag: '@soak' },
  async ({ page, open }) => {
    let isDown = true;
    await page.route('**/wps/relay/MCSFE_getListAnnouncements*', (route) =>
      isDown ? route.abort() : route.fallback(),
    );
    await open('/m/home');
    const front = new Front(page);
    await expect(front.tiles).toHaveCount(21);
    const retryButton = front.main.getByRole('button', {
      name: front.text('Load failed, tap to retry'),
    });
    await expect(retryButton).toBeVisible();
    await expect(
      front.main.getByRole('link', { name: front.text('Load failed, please try again') }),
    ).toHaveAttribute('href', '/m/notice');
    isDown = false;
    await retryButton.tap();
    await expect(front.banners.getByRole('link').first()).toBeVisible();
    await expect(retryButton).toHaveCount(0);
  },
);

test('blocked storage: home, the lobby and the login work until the page closes', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse });
  });
  const front = new Front(page);
  await page.goto('/m/home');
  await expect(front.tiles).toHaveCount(21);
  // The app cannot store that the popup was closed, so it shows each time.
  const close = front.popup.getByRole('button', { name: front.text('Close') });
  await close.tap();
  await expect(front.popup).toHaveCount(0);
  await page.goto('/m/game');
  await expect(front.main.getByRole('article').first()).toBeVisible();
  await front.main.getByRole('article').first().getByRole('link').tap();
  await expect(page).toHaveURL(/\/m\/login\?return=/);

  const login = new Login(page);
  await login.goTo('/m/login');
  await login.logIn(demo.name, demo.password);
  await expect(login.logoutButton).toBeVisible();
  await login.goTo('/m/member/home');
  await expect(login.main.getByText(demo.name).first()).toBeVisible();
});
