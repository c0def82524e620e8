import { devices } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Menu } from '../pages/menu.ts';
import { expect, test } from '../support/test.ts';

const iphone = devices['iPhone 14'].userAgent;

type Settings = { downloadPopup: boolean; downloadLinks: { resourceType: string; url: string }[] };

const links = [
  { resourceType: 'IOS', url: 'https://apps.example.test/ios' },
  { resourceType: 'Android', url: 'https://apps.example.test/app.apk' },
  { resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' },
];

for (const [device, userAgent, expectedLinks, step] of [
  [
    'Android',
    devices['Pixel 7'].userAgent,
    { 'Download for Android': links[1]!.url },
    'Choose Install app or Add to Home screen',
  ],
  [
    'an iPhone',
    iphone,
    { 'Install by a profile': links[2]!.url, 'Download for iPhone': links[0]!.url },
    'Choose Add to Home Screen',
  ],
  [
    'an iPhone outside Safari',
    iphone.replace(/Version\/\S+/, 'CriOS/126.0'),
    { 'Install by a profile': links[2]!.url, 'Download for iPhone': links[0]!.url },
    'Choose Add to Home Screen',
  ],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ userAgent });

    test(
      'OS-05 the download popup offers the links for the device, above ten scrolling bonus claims',
      { tag: '@soak' },
      async ({ page, open }) => {
        await page.emulateMedia({ reducedMotion: 'no-preference' });
        await page.route('**/wps/system/settings/consolidated', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { value: Settings };
          const value = { ...body.value, downloadPopup: true, downloadLinks: links };
          await route.fulfill({ response, json: { ...body, value } });
        });
        // There are no other popups.
        await page.route('**/wps/relay/MCSFE_getListAnnouncements**', (route) =>
          route.fulfill({ json: { success: true, value: [] } }),
        );
        await open('/m/home', { popups: true });
        const front = new Front(page);
        const popup = front.popup;
        await expect(popup.getByText(front.text(step))).toBeVisible();
        const offered = popup.getByRole('link');
        await expect(offered).toHaveCount(Object.keys(expectedLinks).length);
        for (const [name, url] of Object.entries(expectedLinks)) {
          await expect(popup.getByRole('link', { name: front.text(name) })).toHaveAttribute(
            'href',
            url,
          );
        }
        const claims = popup.getByRole('region', { name: front.text('Bonuses for installing') });
        await expect(claims.getByRole('listitem')).toHaveCount(10);
        await expect(front.caption(claims)).toBeVisible();
        const scrollTop = () => claims.getByRole('list').evaluate((list) => list.scrollTop);
        await expect.poll(scrollTop).toBeGreaterThan(0);

        if (device !== 'an iPhone outside Safari') return;
        await popup.getByRole('link', { name: front.text('Download for iPhone') }).tap();
        const alert = page.getByRole('alertdialog', { name: front.text('in_notice') });
        await expect(alert).toContainText('Safari');
        await alert.getByRole('button', { name: front.text('Confirm') }).tap();
        await expect(alert).toHaveCount(0);
        await expect(page).toHaveURL('/m/home');
      },
    );
  });
}

test(
  'RO-09 the cash back and invitation items in both menus follow their flags',
  { tag: '@soak' },
  async ({ page, open, server, login }) => {
    const menu = new Menu(page);
    await open('/m/home', { session: await login() });
    for (const [kind, code, path] of [
      ['flag', 'MANPLAYREB3', '/m/member/manualRebate'],
      ['promotion', 'REFERRAL', '/m/inviteFriends'],
    ] as const) {
      const item = menu.panel.locator(`a[href="${path}"]`);
      await page.goto('/m/home');
      await menu.open();
      await expect(item).toBeVisible();
      await server.switch(kind, code, false);
      try {
        await page.goto('/m/home');
        await expect(new Home(page).tiles).toHaveCount(21);
        await menu.open();
        await expect(menu.panel.locator('a[href="/m/member/limits"]')).toBeVisible();
        await expect(item).toHaveCount(0);
        await expect(menu.bottomMenu.locator(`a[href="${path}"]`)).toHaveCount(0);
      } finally {
        await server.switch(kind, code, true);
      }
    }
  },
);
