import { devices, type Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

type Announcement = Record<'id' | 'type' | 'title' | 'content' | 'execution', string>;

async function announceThree(page: Page): Promise<void> {
  await page.route('**/wps/relay/MCSFE_getListAnnouncements*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Announcement[] };
    const model = body.value.find(({ type }) => type === 'PU')!;
    const popups = [1, 2, 3].map((number) =>
      Object.assign({}, model, {
        id: String(number),
        title: `News ${number}`,
        content: `<p>Text ${number}</p>`,
        execution: 'B',
      }),
    );
    const others = body.value.filter(({ type }) => type !== 'PU');
    await route.fulfill({ response, json: { ...body, value: [...others, ...popups] } });
  });
}

test(
  'HM-08 OS-07 one modal with a page per popup, with previous, next and close',
  { tag: '@soak' },
  async ({ page, open }) => {
    const front = new Front(page);
    await announceThree(page);
    await open('/m/home', { popups: true });
    const { popup } = front;
    const button = (name: string) => popup.getByRole('button', { name: front.text(name) });
    await expect(popup.getByText('Text 1')).toBeVisible();
    await expect(popup).toHaveCount(1);
    await expect(button('Previous')).toBeDisabled();
    await button('Next').tap();
    await expect(popup.getByText('Text 2')).toBeVisible();
    await expect(popup.getByText('Text 1')).toHaveCount(0);
    await expect(popup.getByText('2 / 3')).toBeVisible();
    await button('Next').tap();
    await expect(popup.getByText('Text 3')).toBeVisible();
    await expect(button('Next')).toBeDisabled();
    await button('Previous').tap();
    await expect(popup.getByText('Text 2')).toBeVisible();
    await button('Close').tap();
    await expect(popup).toHaveCount(0);
  },
);

test(
  'ST-04 members see the popups of group A, and at the first login also those of group F',
  { tag: '@soak' },
  async ({ page, open, login, server, request }) => {
    const front = new Front(page);
    const listResponse = await request.get(
      '/wps/relay/MCSFE_getListAnnouncements?types=PU&groupName=m_home&platform=M',
    );
    const { value } = (await listResponse.json()) as { value: Announcement[] };
    const titles = (...executions: string[]) =>
      value.filter(({ execution }) => executions.includes(execution)).map(({ title }) => title);
    const readTitles = async (): Promise<string[]> => {
      const shownTitles = [await front.popup.getByRole('heading').first().innerText()];
      const next = front.popup.getByRole('button', { name: front.text('Next') });
      while ((await next.count()) > 0 && (await next.isEnabled())) {
        await next.tap();
        await expect(front.popup.getByRole('heading').first()).not.toHaveText(shownTitles.at(-1)!);
        shownTitles.push(await front.popup.getByRole('heading').first().innerText());
      }
      return shownTitles;
    };
    expect(titles('F')).not.toEqual([]);
    await open('/m/home', { popups: true, session: await login() });
    await expect(front.popup).toBeVisible();
    expect(await readTitles()).toEqual(titles('A'));

    // The first session, as after a registration.
    const session = { ...(await newMember(server, request)), firstTimeLogin: true };
    await page.evaluate(
      (items) => {
        sessionStorage.clear();
        for (const [key, stored] of items) localStorage.setItem(key, String(stored));
      },
      Object.entries({ ...session, merchantCode: 'fairground' }),
    );
    await page.goto('/m/home');
    await expect(front.popup).toBeVisible();
    expect(await readTitles()).toEqual(titles('A', 'F'));
  },
);

test('LY-10 the app page switches between ur and en', { tag: '@soak' }, async ({ page, open }) => {
  await open('/m/app');
  const html = page.locator('html');
  await page.getByRole('button', { name: 'English' }).tap();
  await page.getByRole('button', { name: 'اردو' }).tap();
  await expect(html).toHaveAttribute('lang', 'ur');
  await expect(html).toHaveAttribute('dir', 'rtl');
  await page.getByRole('button', { name: 'English' }).tap();
  await expect(html).toHaveAttribute('lang', 'en');
  await expect(html).toHaveAttribute('dir', 'ltr');
  await page.getByRole('button', { name: 'اردو' }).tap();
  // The choice is stored once the texts are loaded.
  await expect(html).toHaveAttribute('lang', 'ur');
  await page.reload();
  await expect(html).toHaveAttribute('lang', 'ur');
  await expect(page.getByRole('button', { name: 'English' })).toBeVisible();
});

test('WEBCLIP cannot be set by a link', async ({ page, open }) => {
  const front = new Front(page);
  await open('/m/home?WEBCLIP=1');
  await expect(front.tiles).toHaveCount(21);
  expect(await page.evaluate(() => localStorage.getItem('WEBCLIP'))).toBeNull();
});

test(
  'the app installs under the merchant’s name',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    await open('/m/home');
    const settings = await request.get('/wps/system/settings/consolidated');
    const { value } = (await settings.json()) as { value: { merchantName: string } };
    const manifest = await request.get('/m/manifest.webmanifest');
    expect(await manifest.json()).toMatchObject({
      name: value.merchantName,
      short_name: value.merchantName,
      display: 'standalone',
    });
    await expect(page.locator('meta[name="apple-mobile-web-app-title"]')).toHaveAttribute(
      'content',
      value.merchantName,
    );
  },
);

for (const [device, type] of [
  ['iPhone 14', 'IOS'],
  ['Pixel 7', 'Android'],
] as const) {
  test.describe(`on a ${device}`, () => {
    test.use({ userAgent: devices[device].userAgent });

    test(
      'HD-03 the app’s icon shows only on home, if the app window is on and has a link for the device',
      { tag: '@soak' },
      async ({ page, open }) => {
        const front = new Front(page);
        const link = { resourceType: type as string, url: 'https://apps.example.test/app' };
        const other = { ...link, resourceType: type === 'IOS' ? 'Android' : 'IOS' };
        let appWindow = true;
        let downloadLinks = [link];
        await page.route('**/wps/system/settings/consolidated*', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { value: object };
          await route.fulfill({
            response,
            json: { ...body, value: { ...body.value, appWindow, downloadLinks } },
          });
        });
        const icon = front.header.getByRole('link', { name: front.text('Download app') });
        await open('/m/home');
        await expect(icon).toBeVisible();
        await page.goto('/m/help');
        await expect(front.title).toHaveText(front.text('Help center'));
        await expect(icon).toHaveCount(0);
        for (const [on, links] of [
          [false, [link]],
          [true, []],
          [true, [other]],
        ] as const) {
          appWindow = on;
          downloadLinks = [...links];
          await page.goto('/m/home');
          await expect(front.tiles).toHaveCount(21);
          await expect(icon).toHaveCount(0);
        }
      },
    );
  });
}
