import { devices } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

const iPhone = devices['iPhone 14'].userAgent;
const android = devices['Pixel 7'].userAgent;

function emulateStandalone(): void {
  const matches = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    query === '(display-mode: standalone)' ? matches('all') : matches(query);
}

type Link = { resourceType: string; url: string };

const links: Link[] = [
  { resourceType: 'IOS', url: 'https://apps.example.test/ios' },
  { resourceType: 'Android', url: 'https://apps.example.test/app.apk' },
  { resourceType: 'MOBILECONFIG', url: '/wps/system/webclip' },
];

for (const { where, agent, prepare, downloadLinks, isShown } of [
  { where: 'a browser on an iPhone', agent: iPhone, downloadLinks: links, isShown: true },
  { where: 'a browser on Android', agent: android, downloadLinks: links, isShown: true },
  {
    where: 'a web app on the home screen of an iPhone, with all links',
    agent: iPhone,
    prepare: () => Object.assign(navigator, { standalone: true }),
    downloadLinks: links,
    isShown: false,
  },
  {
    where: 'a web app installed on Android, with all links',
    agent: android,
    prepare: emulateStandalone,
    downloadLinks: links,
    isShown: false,
  },
  {
    where: 'a web clip with an iOS link',
    agent: iPhone,
    prepare: () => localStorage.setItem('WEBCLIP', '1'),
    downloadLinks: links,
    isShown: true,
  },
  {
    where: 'a web clip with no iOS link',
    agent: iPhone,
    prepare: () => localStorage.setItem('WEBCLIP', '1'),
    downloadLinks: links.slice(1),
    isShown: false,
  },
]) {
  test.describe(where, () => {
    test.use({ userAgent: agent });

    test(
      `OS-06 the download bar is ${isShown ? 'shown' : 'hidden'} in ${where}`,
      inGate(where === 'a browser on an iPhone'),
      async ({ page, open }) => {
        if (prepare) await page.addInitScript(prepare);
        await page.route('**/wps/system/settings/consolidated', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { value: object };
          const value = { ...body.value, appWindow: true, downloadLinks };
          await route.fulfill({ response, json: { ...body, value } });
        });
        const front = new Front(page);
        await open('/m/home');
        await expect(front.tiles).toHaveCount(21);
        await page.mouse.wheel(0, 10);
        // The bar loads together with this button.
        await expect(front.serviceButton.last()).toBeVisible();
        const bar = page.getByRole('complementary', { name: front.text('Download app') });
        await expect(bar).toHaveCount(isShown ? 1 : 0);
      },
    );
  });
}

test.describe('dismissed', () => {
  test.use({ userAgent: iPhone });

  test(
    'OS-06 a dismissed bar stays hidden after a reload and in another tab',
    { tag: '@soak' },
    async ({ page, open, context }) => {
      const front = new Front(page);
      await open('/m/home');
      await expect(front.tiles).toHaveCount(21);
      await page.mouse.wheel(0, 10);
      const bar = page.getByRole('complementary', { name: front.text('Download app') });
      await bar.getByRole('button', { name: front.text('Hide') }).tap();
      await expect(bar).toHaveCount(0);
      expect(await page.evaluate(() => localStorage.getItem('hideDownloadBar'))).not.toBeNull();
      const other = await context.newPage();
      for (const tab of [page, other]) {
        await tab.goto('/m/home');
        const again = new Front(tab);
        await expect(again.tiles).toHaveCount(21);
        await tab.mouse.wheel(0, 10);
        await expect(again.serviceButton.last()).toBeVisible();
        await expect(
          tab.getByRole('complementary', { name: front.text('Download app') }),
        ).toHaveCount(0);
      }
    },
  );
});

const guides = {
  ios: ['Tap the Share button', 'Choose Add to Home Screen', 'Open it by its new icon'],
  android: [
    'Open the browser’s menu',
    'Choose Install app or Add to Home screen',
    'Open it by its new icon',
  ],
} as const;

const iosRequirement = 'Open this page in Safari, the iPhone’s own browser, on iOS 12.4 or later.';
const tooOld = 'Your phone’s system is older than iOS 12.4: update it first.';

for (const { phone, agent, ownGuide, isTooOld } of [
  { phone: 'Android', agent: android, ownGuide: 'android', isTooOld: false },
  { phone: 'iOS 17', agent: iPhone, ownGuide: 'ios', isTooOld: false },
  {
    phone: 'iOS 12.4',
    agent: iPhone.replace(/OS \d+_\d+/, 'OS 12_4'),
    ownGuide: 'ios',
    isTooOld: false,
  },
  {
    phone: 'iOS 12.3',
    agent: iPhone.replace(/OS \d+_\d+/, 'OS 12_3'),
    ownGuide: 'ios',
    isTooOld: true,
  },
] as const) {
  test.describe(phone, () => {
    test.use({ userAgent: agent });

    test(
      `OS-11 ${phone} shows its own guide first, with a link to the other guide`,
      inGate(phone === 'iOS 17'),
      async ({ page, open }) => {
        const front = new Front(page);
        await open('/m/app');
        const steps = front.main.locator('ol').getByRole('listitem');
        const expectSteps = (guide: keyof typeof guides) =>
          expect(steps).toHaveText(guides[guide].map((step) => new RegExp(front.text(step))));
        await expectSteps(ownGuide);
        await expect(page.getByText(front.text(tooOld))).toHaveCount(isTooOld ? 1 : 0);
        await expect(page.getByText(front.text(iosRequirement))).toHaveCount(
          ownGuide === 'ios' && !isTooOld ? 1 : 0,
        );
        const [other, name] =
          ownGuide === 'ios'
            ? (['android', 'Android'] as const)
            : (['ios', 'iPhone (iOS)'] as const);
        await page.getByText(name, { exact: true }).tap();
        await expectSteps(other);
        await expect(page.getByText(front.text(iosRequirement))).toHaveCount(
          other === 'ios' ? 1 : 0,
        );
      },
    );
  });
}
