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
  'HM-08 the download popup shows only with its flag, after the announcements, once',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const front = new Front(page);
    const offer = page
      .getByRole('dialog')
      .filter({ hasText: front.text('Bonuses for installing') });
    await server.set('site.download_popup', true);
    try {
      await open('/m/home', { popups: true });
      // One popup per visit: announcements first.
      await expect(front.popup).toHaveCount(1);
      await expect(offer).toHaveCount(0);
      await front.popup.getByRole('button', { name: front.text('Close') }).tap();
      await expect(offer).toBeVisible();
      await expect(front.popup).toHaveCount(1);
      await page.goBack();
      await expect(offer).toHaveCount(0);
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
  const announced = page.waitForResponse(/getListAnnouncements/);
  let isLoaded = false;
  page.on('requestfinished', (request) => {
    if (/\/assets\/extras-[^/]+\.js$/.test(request.url())) isLoaded = true;
  });
  const begin = new Date('2026-03-02T10:00:00Z');
  await page.clock.install({ time: begin });
  await page.clock.pauseAt(begin.getTime() + 1_000);
  await page.addInitScript(recordTimes);
  await open('/m/home', { popups: true });
  await advanceUntil(page, 20, async () => (await timesOf(page)).home !== undefined);
  await (await announced).finished();
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
    const seen = new Set<string>();
    Object.assign(window, { seenToMove: seen });
    document.addEventListener('transitionrun', (event) => {
      if (event.target instanceof HTMLDialogElement) seen.add(event.propertyName);
    });
  });
  await front.popup.getByRole('button', { name: front.text('Close') }).tap();
  await page.clock.runFor(2_000);
  await expect(front.popup).toHaveCount(0);
  const moved = await page.evaluate(() => [
    ...(window as unknown as { seenToMove: Set<string> }).seenToMove,
  ]);
  expect(moved).toContain('opacity');
  const stored = await page.evaluate(() => sessionStorage.getItem('announcementPopup.B'));
  expect(stored).toBe('{"show":false}');
});

test(
  'EN-14 popups, notices and banners have the fields of the specification, and they are used',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    const front = new Front(page);
    const answer = await request.get(
      '/wps/relay/MCSFE_getListAnnouncements?types=B,PL,PU&groupName=m_home&platform=M',
    );
    type Item = Record<'id' | 'type' | 'title' | 'content' | 'url' | 'groupName', string> & {
      promotionType: unknown;
      execution: string;
      read: unknown;
    };
    const { value } = (await answer.json()) as { value: Item[] };
    const of = (type: string) => value.filter((item) => item.type === type);
    for (const popup of of('PU')) {
      expect(popup).toMatchObject({ title: expect.any(String), content: expect.any(String) });
      expect(typeof popup.promotionType).toBe('string');
      expect(['A', 'B', 'F']).toContain(popup.execution);
    }
    for (const notice of of('PL')) {
      expect(notice).toMatchObject({ id: expect.any(String), title: expect.any(String) });
      expect(notice.read).toBe(false);
    }
    for (const banner of of('B')) {
      expect(banner.groupName).toBe('m_home');
      expect(typeof banner.url).toBe('string');
    }
    const popup = of('PU').find(({ execution }) => execution === 'B');
    const [banner] = of('B');
    await open('/m/home', { popups: true });
    await expect(front.popup).toContainText(popup!.title);
    await front.popup.getByRole('button', { name: front.text('Close') }).tap();
    await expect(front.banners.getByRole('link').first()).toHaveAttribute(
      'href',
      banner!.url || `/m/banner/${banner!.id}`,
    );
    await page.goto('/m/notice');
    for (const { title } of of('PL')) {
      await expect(front.main.getByText(title).first()).toBeVisible();
    }
  },
);
