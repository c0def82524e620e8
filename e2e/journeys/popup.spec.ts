import { Front } from '../pages/front.ts';
import { expect, test } from '../support/test.ts';

test('HM-08 ST-04 OS-07 what is announced pops up once for visitors and once for members', async ({
  page,
  open,
  login,
}) => {
  const front = new Front(page);
  await open('/m/home', { popups: true });
  await expect(front.popup).toBeVisible();
  await front.popup.getByRole('button', { name: front.text('Close') }).tap();
  await expect(front.popup).toBeHidden();
  await page.reload();
  await expect(front.tiles).toHaveCount(21);
  await page.waitForTimeout(1500);
  await expect(front.popup).toBeHidden();

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
    const kept = await page.evaluate(
      (key) => sessionStorage.getItem(key),
      `announcementPopup.${group}`,
    );
    expect(kept).toBe('{"show":false}');
  }
});

test('HM-08 the download popup comes by its flag only, after what is announced, once', async ({
  page,
  open,
  server,
}) => {
  const front = new Front(page);
  const offer = page.getByRole('dialog').filter({ hasText: front.text('Bonuses for installing') });
  await server.set('site.download_popup', true);
  try {
    await open('/m/home', { popups: true });
    // One popup per entry: first the news.
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
});

test('ST-04 popups wait half a second, and closing one animates', async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const front = new Front(page);
  await page.clock.install();
  await open('/m/home', { popups: true });
  await expect(front.tiles).toHaveCount(21);
  await page.mouse.wheel(0, 10);
  await page.clock.runFor(10_000);
  await expect(front.popup).toBeVisible();
  // One that has not come in yet has nothing to go out with.
  await expect(front.popup).toHaveCSS('opacity', '1');
  // What runs from the moment of the tap until the popup is gone.
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seenToMove: seen });
    document.addEventListener('transitionrun', (event) => {
      if ((event.target as Element).getAttribute('role') === 'dialog') seen.add(event.propertyName);
    });
  });
  await front.popup.getByRole('button', { name: front.text('Close') }).tap();
  await page.clock.runFor(2_000);
  await expect(front.popup).toHaveCount(0);
  const moved = await page.evaluate(() => [
    ...(window as unknown as { seenToMove: Set<string> }).seenToMove,
  ]);
  expect(moved).toContain('opacity');
  const kept = await page.evaluate(() => sessionStorage.getItem('announcementPopup.B'));
  expect(kept).toBe('{"show":false}');
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
