import type { Locator } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Login } from '../pages/login.ts';
import { inGate } from '../support/tag.ts';
import { demo, expect, test } from '../support/test.ts';

const first = (role: 'article' | 'listitem' | 'region') => (front: Front) =>
  front.main.getByRole(role).first();

const screens: [path: string, shown: (front: Front) => Locator][] = [
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

for (const [path, shown] of screens) {
  test(
    `ER-02 ${path} without answers shows an error, and a tap loads the missing parts`,
    inGate(path === '/m/game'),
    async ({ page, open }) => {
      let down = true;
      await page.route('**/wps/**', (route) => (down ? route.abort() : route.fallback()));
      await open(path);
      const front = new Front(page);
      const again = front.main.getByRole('button', {
        name: front.text('Load failed, tap to retry'),
      });
      await expect(again.first()).toBeVisible();
      down = false;
      const come = shown(front);
      await expect(async () => {
        if (!(await come.isVisible())) await again.first().tap({ timeout: 10_000 });
        await expect(come).toBeVisible({ timeout: 10_000 });
      }).toPass({ timeout: 240_000 });
    },
  );
}

test(
  'ER-02 failed banners show an error in place; one tap loads them and the notices',
  { tag: '@soak' },
  async ({ page, open }) => {
    let down = true;
    await page.route('**/wps/relay/MCSFE_getListAnnouncements*', (route) =>
      down ? route.abort() : route.fallback(),
    );
    await open('/m/home');
    const front = new Front(page);
    await expect(front.tiles).toHaveCount(21);
    const again = front.main.getByRole('button', { name: front.text('Load failed, tap to retry') });
    await expect(again).toBeVisible();
    await expect(
      front.main.getByRole('link', { name: front.text('Load failed, please try again') }),
    ).toHaveAttribute('href', '/m/notice');
    down = false;
    await again.tap();
    await expect(front.banners.getByRole('link').first()).toBeVisible();
    await expect(again).toHaveCount(0);
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
  // Nothing is stored, so the popup shows each time.
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
