import { devices } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Play } from '../pages/play.ts';
import { nextPaint } from '../support/clock.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

test(
  'HM-07 the quick menu links to hot games, service, cash back if its flag is on, withdrawals and rewards',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const front = new Front(page);
    const menu = page.getByRole('navigation', { name: front.text('Shortcuts') });
    const hrefs = () =>
      menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const rest = ['/m/withdraw', '/m/rewardCenter'];
    await open('/m/home?category=LIVE');
    await expect
      .poll(hrefs)
      .toEqual(['/m/home?category=HOT', '/m/service', '/m/member/manualRebate', ...rest]);
    await menu.getByRole('link', { name: front.text('Hot games') }).tap();
    await expect(page).toHaveURL('/m/home?category=HOT');
    await expect(front.tiles).toHaveCount(21);

    await server.switch('flag', 'MANPLAYREB3', false);
    await server.set('site.services', []);
    try {
      await page.reload();
      await expect.poll(hrefs).toEqual(['/m/home?category=HOT', ...rest]);
    } finally {
      await server.switch('flag', 'MANPLAYREB3', true);
      await server.set('site.services', [{ type: 'CS', url: '/m/policy/contact' }]);
    }
  },
);

test(
  'OS-04 "play now" on the winner board starts that game for a member',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const play = new Play(page);
    await open('/m/winnerBoard', { session: await login() });
    await expect(play.title).toHaveText(play.text('Winner board'));
    const rows = play.main.getByRole('list').getByRole('listitem');
    const row = rows.filter({ has: page.locator('a[href*="gameCategory=RNG"]') }).first();
    await row.scrollIntoViewIfNeeded();
    await expect(row.locator('img')).toBeVisible();
    await expect(row).toContainText('***');
    // The amount is the payout of the round. It has no sign, because it includes the stake.
    await expect(row).toContainText(/\d[\d.]*\s*₫/);
    await expect(row).not.toContainText('+');
    const game = (await row.locator('bdi').nth(1).innerText()).trim();
    const href = await row.getByRole('link').getAttribute('href');
    await row.getByRole('link').press('Enter');
    await expect(page).toHaveURL(href!);
    for (const name of ['vendor', 'gameCategory', 'gameId', 'nodeId', 'supportPlay']) {
      expect(new URL(page.url()).searchParams.get(name), name).toMatch(/^(?!undefined|null)./);
    }
    await expect(play.bar).toContainText(game);
    await expect(play.frame.locator('body')).toBeVisible();
  },
);

test(
  'HM-10 EN-07 HM-07 the customer service button is shown, and hidden if there is none',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const front = new Front(page);
    await open('/m/home');
    await expect(front.tiles).toHaveCount(21);
    await expect(front.serviceButton.last()).toBeVisible();
    await front.serviceButton.last().tap();
    await expect(page).toHaveURL(/\/m\/policy\/contact/);
    await server.set('site.services', []);
    try {
      await page.goto('/m/home');
      await expect(front.tiles).toHaveCount(21);
      await nextPaint(page);
      await expect(front.serviceButton).toHaveCount(0);
      await expect(front.main.getByText(front.text('Service'), { exact: true })).toHaveCount(0);
    } finally {
      await server.set('site.services', [{ type: 'CS', url: '/m/policy/contact' }]);
    }
  },
);

test('RT-13 ST-06 a member reads notices, which stay read', async ({
  page,
  open,
  login,
  request,
}) => {
  const front = new Front(page);
  const session = await login();
  await open('/m/notice', { session });
  const cards = front.main.getByRole('listitem');
  const first = cards.first().getByRole('button');
  await expect(first).toContainText(front.text('Unread'));
  await first.tap();
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await expect(cards.first().locator('p').first()).toBeVisible();
  await expect(first).not.toContainText(front.text('Unread'));
  await front.button('Read all').tap();
  await expect(front.button('Read all')).toBeHidden();
  await expect
    .poll(async () => {
      const headers = { Authorization: session.token };
      const response = await request.get('/wps/relay/MCSFE_getUnreadAnnouncementCount', {
        headers,
      });
      return ((await response.json()) as { value: { count: number } }).value.count;
    })
    .toBe(0);
  await page.reload();
  await expect(first).toBeVisible();
  await expect(front.button('Read all')).toBeHidden();
});

test('RT-27 RT-30 OS-04 the screens linked from home open, with the floating language picker', async ({
  page,
  open,
}) => {
  const front = new Front(page, 'en');
  await open('/m/jackpot', { language: 'en' });
  await expect(front.block('Won before')).toBeVisible();
  await expect(front.main.getByText('Jackpot rules')).toBeVisible();
  await expect(front.languageFloat).toBeVisible();

  await page.goto('/m/winnerBoard');
  const rows = front.main.getByRole('list').getByRole('listitem');
  await expect.poll(() => rows.count()).toBeGreaterThan(6);
  await expect(rows.first()).toContainText('***');
  // Uses a playable game, because other games only show a message.
  await rows.locator('a[href*="gameCategory=RNG"]').first().tap();
  await expect(page).toHaveURL(/\/m\/login\?return=/);

  for (const [path, text] of [
    ['/m/userAgreement', 'User agreement'],
    ['/m/policy/privacy', 'Privacy'],
    ['/m/policy/nothing', 'There is no such page'],
    ['/m/service', 'Customer service'],
    ['/m/banner/1', 'No longer announced'],
  ] as const) {
    await page.goto(path);
    await expect(front.main.getByText(text, { exact: false }).first()).toBeVisible();
  }
  await front.languageFloat.selectOption('vi');
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi');
  for (const path of ['/m/maintenance', '/m/ipBlock']) {
    await page.goto(path);
    await expect(page).toHaveURL('/m/home');
  }
});

test(
  'RT-29 the maintenance page covers every route, and disappears when the maintenance ends',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const home = new Home(page);
    await page.clock.install();
    await server.set('system.maintenance', { on: true });
    try {
      for (const path of ['/m/home', '/m/notice', '/m/nowhere']) {
        await open(path);
        await expect(page.getByText(home.text('System under maintenance')).first()).toBeVisible();
        await expect(home.bottomMenu).toHaveCount(0);
      }
    } finally {
      await server.set('system.maintenance', { on: false });
    }
    // The page polls every half minute.
    await page.clock.fastForward(31_000);
    await expect(home.tiles).toHaveCount(21);
  },
);

test.describe('on an iPhone', () => {
  test.use({ userAgent: devices['iPhone 14'].userAgent });

  test('RT-23 OS-05 OS-06 OS-11 HD-03 the app is offered, its bar can be hidden permanently, and its guide opens', async ({
    page,
    open,
  }) => {
    const front = new Front(page);
    await open('/m/home');
    await expect(front.tiles).toHaveCount(21);
    await expect(
      front.header.getByRole('link', { name: front.text('Download app') }),
    ).toBeVisible();
    // The bar is hidden while the page scrolls, so a tap would reach the tile under it.
    const bar = page.getByRole('complementary', { name: front.text('Download app') });
    await expect(bar).toBeVisible();
    await bar.getByRole('button', { name: front.text('Hide') }).tap();
    await expect(bar).toHaveCount(0);
    await page.reload();
    await expect(front.tiles).toHaveCount(21);
    await page.mouse.wheel(0, 10);
    // The bar loads together with this button.
    await expect(front.serviceButton.last()).toBeVisible();
    await expect(bar).toHaveCount(0);
    await front.header.getByRole('link', { name: front.text('Download app') }).tap();
    await expect(page).toHaveURL('/m/app');
    await expect(page.getByText(front.text('Tap the Share button'))).toBeVisible();
    const profile = page.getByRole('link', { name: front.text('Install by a profile') });
    await expect(profile).toHaveAttribute('href', '/wps/system/webclip');
    await expect(front.caption(front.block('Bonuses for installing'))).toBeVisible();
  });

  test(
    'EN-08 OS-05 each kind of download link appears in its place',
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      const front = new Front(page);
      const settings = await request.get('/wps/system/settings/consolidated');
      const { value } = (await settings.json()) as {
        value: { downloadLinks: { resourceType: string; url: string }[] };
      };
      await server.set('site.downloads', [
        { resourceType: 'IOS', url: 'https://apps.example.test/ios' },
        { resourceType: 'Android', url: 'https://apps.example.test/app.apk' },
        { resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' },
        { resourceType: 'TELEGRAM', url: 'https://t.example.test/fairground' },
        { resourceType: 'AppDownloadIcon', url: '/m/icons/icon-192.png' },
      ]);
      try {
        await open('/m/home');
        await expect(front.tiles).toHaveCount(21);
        const app = front.header.getByRole('link', { name: front.text('Download app') });
        await expect(app.locator('img')).toHaveAttribute('src', '/m/icons/icon-192.png');
        await app.tap();
        const downloadLink = (name: string) => page.getByRole('link', { name: front.text(name) });
        await expect(downloadLink('Install by a profile')).toHaveAttribute(
          'href',
          '/wps/system/webclip',
        );
        await expect(downloadLink('Download for iPhone')).toHaveAttribute(
          'href',
          /apps\.example\.test\/ios$/,
        );
        await page.getByText('Android', { exact: true }).tap();
        await expect(downloadLink('Download for Android')).toHaveAttribute('href', /app\.apk$/);
        await expect(front.caption(front.block('Bonuses for installing'))).toBeVisible();
        const claims = front.block('Bonuses for installing').getByRole('listitem');
        await expect(claims).toHaveCount(10);
        await page.goto('/m/service');
        await expect(front.main.getByRole('link', { name: 'Telegram' })).toHaveAttribute(
          'href',
          'https://t.example.test/fairground',
        );
      } finally {
        await server.set('site.downloads', value.downloadLinks);
      }
    },
  );

  for (const [platform, prepare] of [
    ['an installed web app', () => Object.assign(navigator, { standalone: true })],
    ['a web clip with no iOS link', () => localStorage.setItem('WEBCLIP', '1')],
  ] as const) {
    test(`OS-06 the bar is hidden in ${platform}`, { tag: '@soak' }, async ({ page, open }) => {
      const front = new Front(page);
      await page.addInitScript(prepare);
      await page.route('**/wps/system/settings/consolidated', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as {
          value: { downloadLinks: { resourceType: string }[] };
        };
        const downloadLinks = body.value.downloadLinks.filter(
          ({ resourceType }) => resourceType !== 'IOS',
        );
        await route.fulfill({
          response,
          json: { ...body, value: { ...body.value, downloadLinks } },
        });
      });
      await open('/m/home');
      await expect(front.tiles).toHaveCount(21);
      await page.mouse.wheel(0, 10);
      await expect(front.serviceButton.last()).toBeVisible();
      await expect(
        page.getByRole('complementary', { name: front.text('Download app') }),
      ).toHaveCount(0);
    });
  }
});

test.describe('on an iPhone outside Safari', () => {
  test.use({ userAgent: devices['iPhone 14'].userAgent.replace(/Version\/\S+/, 'CriOS/126.0') });

  test(
    'OS-05 outside Safari an alert titled "notice" says to use Safari',
    { tag: '@soak' },
    async ({ page, open }) => {
      const front = new Front(page);
      await open('/m/app');
      await page.getByRole('link', { name: front.text('Install by a profile') }).tap();
      const alert = page.getByRole('alertdialog', { name: front.text('in_notice') });
      await expect(alert).toContainText('Safari');
      await alert.getByRole('button', { name: front.text('Confirm') }).tap();
      await expect(alert).toHaveCount(0);
      await expect(page).toHaveURL('/m/app');
    },
  );
});

test('RG-10 the registration shows its own banners', async ({ page, open }) => {
  await open('/m/register');
  const banners = new Home(page).banners;
  await banners.scrollIntoViewIfNeeded();
  await expect(banners.getByRole('link').first()).toBeVisible();
});

for (const language of ['vi', 'en', 'ur', 'pt'] as const) {
  test(
    `the header of home takes one line on phones from 360 px, at the top and scrolled: ${language}`,
    inGate(language === 'vi'),
    async ({ page, open }) => {
      const home = new Front(page, language);
      await open('/m/home', { language });
      await expect(home.tiles).toHaveCount(21);
      const heights: Record<number, number> = {};
      for (const width of [360, 380, 385, 390, 768]) {
        await page.setViewportSize({ width, height: 844 });
        heights[width] = (await home.header.boundingBox())!.height;
      }
      expect(heights).toEqual({ 360: 56, 380: 56, 385: 56, 390: 56, 768: 56 });
      await page.mouse.wheel(0, 400);
      await expect(home.header).toHaveAttribute('data-scrolled');
      expect((await home.header.boundingBox())!.height).toBe(56);
    },
  );
}
