import type { Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { advanceUntil } from '../support/clock.ts';
import { expect, test } from '../support/test.ts';

test('HM-08 ST-04 OS-07 announcements pop up once for visitors and once for members', async ({
  page,
  open,
  login,
}) => {
  const front = new Front(page);
  await page.clock.install();
  await open('/m/home', { popups: true });
  await expect(front.popup).toBeVisible();
  await front.popup.getByRole('button', { name: front.text('Close') }).tap();
  await expect(front.popup).toBeHidden();
  await page.reload();
  await expect(front.tiles).toHaveCount(21);
  await page.mouse.wheel(0, 10);
  await expect(front.serviceButton.last()).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(front.popup).toHaveCount(0);

  const session = await login();
  await page.evaluate(
    (items) => {
      for (const [key, value] of items) localStorage.setItem(key, String(value));
    },
    Object.entries({ ...session, merchantCode: 'fairground' }),
  );
  await page.reload();
  await expect(front.popup).toBeVisible();
  await page.goBack();
  await expect(front.popup).toBeHidden();
  for (const group of ['A', 'B']) {
    const stored = await page.evaluate(
      (key) => sessionStorage.getItem(key),
      `announcementPopup.${group}`,
    );
    expect(stored).toBe('{"show":false}');
  }
});

test(
  'HM-08 the download popup shows once, after the announcements, and only if its flag is on',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const front = new Front(page);
    const downloadPopup = page
      .getByRole('dialog')
      .filter({ hasText: front.text('Bonuses for installing') });
    await server.set('site.download_popup', true);
    try {
      await open('/m/home', { popups: true });
      // Only one popup shows at once, and announcements come first.
      await expect(front.popup).toHaveCount(1);
      await expect(downloadPopup).toHaveCount(0);
      await front.popup.getByRole('button', { name: front.text('Close') }).tap();
      await expect(downloadPopup).toBeVisible();
      await expect(front.popup).toHaveCount(1);
      await page.goBack();
      await expect(downloadPopup).toHaveCount(0);
      await page.reload();
      await expect(front.tiles).toHaveCount(21);
      await page.mouse.wheel(0, 10);
      await expect(front.serviceButton.last()).toBeVisible();
      await expect(front.popup).toHaveCount(0);
    } finally {
      await server.set('site.download_popup', false);
    }
  },
);

/** Records the page's time when home appears and when the popup opens. */
function recordTimes(): void {
  const times: Times = {};
  Object.assign(window, { times });
  new MutationObserver(() => {
    if (document.querySelector('#screen h1')) times.home ??= Date.now();
    if (document.querySelector('dialog[open]')) times.popup ??= Date.now();
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['open'] });
}

type Times = { home?: number; popup?: number };

const timesOf = (page: Page) =>
  page.evaluate(() => ({ now: Date.now(), ...(window as unknown as { times: Times }).times }));

test('ST-04 popups show half a second after home, and closing one animates', async ({
  page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const front = new Front(page);
  const announcementsResponse = page.waitForResponse(/getListAnnouncements/);
  let isLoaded = false;
  page.on('requestfinished', (request) => {
    if (/\/assets\/announcements-[^/]+\.js$/.test(request.url())) isLoaded = true;
  });
  const startTime = new Date('2026-03-02T10:00:00Z');
  await page.clock.install({ time: startTime });
  await page.clock.pauseAt(startTime.getTime() + 1_000);
  await page.addInitScript(recordTimes);
  await open('/m/home', { popups: true });
  await advanceUntil(page, 20, async () => (await timesOf(page)).home !== undefined);
  await (await announcementsResponse).finished();
  // Idle callbacks take a few milliseconds of the page's time, downloads none.
  await advanceUntil(page, 2, async () => isLoaded);
  const { home, now } = await timesOf(page);
  await page.clock.runFor(home! + 499 - now);
  expect((await timesOf(page)).popup).toBeUndefined();
  await advanceUntil(page, 1, () => front.popup.isVisible());
  expect((await timesOf(page)).popup).toBeGreaterThanOrEqual(home! + 500);
  // Waits for the opening animation, without which there is no closing one.
  await expect(front.popup).toHaveCSS('opacity', '1');
  await page.evaluate(() => {
    const properties = new Set<string>();
    Object.assign(window, { animatedProperties: properties });
    document.addEventListener('transitionrun', (event) => {
      if (event.target instanceof HTMLDialogElement) properties.add(event.propertyName);
    });
  });
  await front.popup.getByRole('button', { name: front.text('Close') }).tap();
  await page.clock.runFor(2_000);
  await expect(front.popup).toHaveCount(0);
  const animated = await page.evaluate(() => [
    ...(window as unknown as { animatedProperties: Set<string> }).animatedProperties,
  ]);
  expect(animated).toContain('opacity');
  const stored = await page.evaluate(() => sessionStorage.getItem('announcementPopup.B'));
  expect(stored).toBe('{"show":false}');
});

test(
  'EN-14 popups, notices and banners have the fields of the specification, and they are used',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    const front = new Front(page);
    const response = await request.get(
      '/wps/relay/MCSFE_getListAnnouncements?types=B,PL,PU&groupName=m_home&platform=M',
    );
    type Item = Record<'id' | 'type' | 'title' | 'content' | 'url' | 'groupName', string> & {
      promotionType: unknown;
      execution: string;
      read: unknown;
    };
    const { value } = (await response.json()) as { value: Item[] };
    const itemsOfType = (type: string) => value.filter((item) => item.type === type);
    for (const popup of itemsOfType('PU')) {
      expect(popup).toMatchObject({ title: expect.any(String), content: expect.any(String) });
      expect(typeof popup.promotionType).toBe('string');
      expect(['A', 'B', 'F']).toContain(popup.execution);
    }
    for (const notice of itemsOfType('PL')) {
      expect(notice).toMatchObject({ id: expect.any(String), title: expect.any(String) });
      expect(notice.read).toBe(false);
    }
    for (const banner of itemsOfType('B')) {
      expect(banner.groupName).toBe('m_home');
      expect(typeof banner.url).toBe('string');
    }
    const popup = itemsOfType('PU').find(({ execution }) => execution === 'B');
    const [banner] = itemsOfType('B');
    await open('/m/home', { popups: true });
    await expect(front.popup).toContainText(popup!.title);
    await front.popup.getByRole('button', { name: front.text('Close') }).tap();
    await expect(front.banners.getByRole('link').first()).toHaveAttribute(
      'href',
      banner!.url || `/m/banner/${banner!.id}`,
    );
    await page.goto('/m/notice');
    for (const { title } of itemsOfType('PL')) {
      await expect(front.main.getByText(title).first()).toBeVisible();
    }
  },
);
