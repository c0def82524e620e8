import type { Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { GameList } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { stopClock } from '../support/clock.ts';
import { newMember } from '../support/member.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

type Announcement = { id: string; type: string; groupName: string; title: string; url: string };

async function announce(page: Page, keep: (item: Announcement) => boolean): Promise<void> {
  await page.route('**/wps/relay/MCSFE_getListAnnouncements**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Announcement[] };
    await route.fulfill({ response, json: { ...body, value: body.value.filter(keep) } });
  });
}

test(
  'HM-01 a loading toast with a wait message shows until the vendor call ends',
  { tag: '@soak' },
  async ({ page, open }) => {
    const home = new Home(page);
    const vendors = Promise.withResolvers<void>();
    await page.route('**/wps/relay/GCSGAME_newGameVendor**', async (route) => {
      await vendors.promise;
      await route.continue();
    });
    await open('/m/home');
    await expect(home.tiles).toHaveCount(21);
    await expect(home.loadingToast).toBeVisible();
    await expect(home.loadingToast.locator('svg')).toBeVisible();
    vendors.resolve();
    await expect(home.loadingToast).toHaveCount(0);
  },
);

test('HM-02 the notices scroll without a gap, between two links to the app, and a tap opens the list', async ({
  page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const home = new Home(page);
  await open('/m/home');
  await expect(home.notices).toBeVisible();
  // The marquee starts with the first input.
  await page.keyboard.press('Shift');
  const bar = await home.notices.evaluate(async (link) => {
    const second = link.querySelector('[aria-hidden=true]');
    const first = second!.previousElementSibling;
    const track = first!.parentElement!;
    const [animation] = track.getAnimations();
    const { iterations } = animation!.effect!.getTiming();
    const position = () => first!.getBoundingClientRect().left;
    const before = position();
    // Waits for the next frame, even on a busy machine.
    while (position() === before) await new Promise((resolve) => requestAnimationFrame(resolve));
    const moved = before - position();
    // At the end, the second copy is exactly where the first one started.
    animation!.pause();
    animation!.currentTime = 0;
    const start = position();
    const duration = Number(animation!.effect!.getComputedTiming().duration);
    animation!.currentTime = duration - 0.001;
    const end = second!.getBoundingClientRect().left;
    const same = first!.textContent === second!.textContent;
    const text = first!.textContent;
    animation!.play();
    return { iterations: String(iterations), moved, gap: Math.abs(end - start), same, text };
  });
  expect(bar).toMatchObject({ iterations: 'Infinity', same: true });
  expect(bar.text.trim()).not.toBe('');
  expect(bar.moved).toBeGreaterThan(0);
  expect(bar.gap).toBeLessThan(1);

  const android = home.main.getByRole('link', { name: home.text('App for Android') });
  const apple = home.main.getByRole('link', { name: home.text('Add to home screen') });
  const [left, middle, right] = await Promise.all(
    [android, home.notices, apple].map(async (link) => (await link.boundingBox())!.x),
  );
  expect(left).toBeLessThan(middle!);
  expect(middle).toBeLessThan(right!);
  for (const [icon, guide] of [
    [android, 'android'],
    [apple, 'ios'],
  ] as const) {
    await icon.tap();
    await expect(page).toHaveURL(`/m/app?guide=${guide}`);
    await page.goBack();
  }
  await home.notices.tap();
  await expect(page).toHaveURL('/m/notice');
});

test(
  'HM-02 without notices the bar says that there are none, and still links to the list',
  { tag: '@soak' },
  async ({ page, open }) => {
    const home = new Home(page);
    await announce(page, ({ type }) => type !== 'PL');
    await open('/m/home');
    await expect(home.notices).toHaveText(home.text('No announcements'));
    await home.notices.tap();
    await expect(page).toHaveURL('/m/notice');
  },
);

function shownSlide(home: Home): Promise<number> {
  return home.banners.getByRole('listitem').evaluateAll((slides) => {
    const { left } = slides[0]!.parentElement!.parentElement!.getBoundingClientRect();
    return slides.findIndex((slide) => Math.abs(slide.getBoundingClientRect().left - left) < 2);
  });
}

test('HM-03 HM-04 the banners of home and of the live tables show for 5 s each, in a loop, 5 px apart', async ({
  page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const home = new Home(page);
  await open('/m/home');
  await expect(home.tiles).toHaveCount(21);
  // Four banners of home, then those of the live tables.
  const slides = home.banners.getByRole('listitem');
  await expect.poll(() => slides.count()).toBeGreaterThan(4);
  const count = await slides.count();
  const [first, second] = await slides.evaluateAll((all) =>
    all.slice(0, 2).map((slide) => slide.getBoundingClientRect()),
  );
  expect(second!.left - first!.right).toBeCloseTo(5, 1);

  // Loads all pictures, because the carousel waits for the next picture.
  await slides.locator('img').evaluateAll(async (images) => {
    for (const image of images as HTMLImageElement[]) image.loading = 'eager';
    await Promise.all((images as HTMLImageElement[]).map((image) => image.decode()));
  });
  // From here on the test controls the clock. A restart starts a full interval.
  await home.banners.getByRole('button', { name: home.text('Stop the movement') }).tap();
  await page.clock.install();
  await home.banners.getByRole('button', { name: home.text('Start the movement') }).tap();
  await stopClock(page);
  // Ends a change in progress. Each further change takes five seconds.
  await page.clock.runFor(2_000);
  let current = await shownSlide(home);
  for (let turn = 0; turn < count; turn += 1) {
    await page.clock.runFor(5_000);
    const next = await shownSlide(home);
    expect(next).toBe((current + 1) % count);
    current = next;
  }
});

test(
  'HM-03 without presenters the banners of the live tables are hidden',
  { tag: '@soak' },
  async ({ page, open }) => {
    const home = new Home(page);
    await page.route('**/wps/relay/LIVE_getModelList**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { value: object[] };
      await route.fulfill({ response, json: { ...body, value: [] } });
    });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const responsePromise = page.waitForResponse('**/wps/relay/LIVE_getModelList**');
    await open('/m/home');
    await responsePromise;
    await expect(home.banners.getByRole('listitem')).toHaveCount(4);
    expect(requested.filter((url) => url.includes('m_live'))).toEqual([]);
  },
);

test('HM-04 a single banner does not slide', { tag: '@soak' }, async ({ page, open }) => {
  const home = new Home(page);
  let firstBanner: string | undefined;
  await announce(page, ({ id, type }) => type !== 'B' || id === (firstBanner ??= id));
  await open('/m/home');
  await expect(home.banners.getByRole('listitem')).toHaveCount(1);
  await page.clock.install();
  await expect(home.banners.getByRole('button')).toHaveCount(0);
  const position = () => home.banners.getByRole('listitem').boundingBox();
  const before = await position();
  await page.clock.runFor(11_000);
  expect(await position()).toEqual(before);
});

test(
  'HM-05 at most 21 hot games, with a button to the full list',
  { tag: '@soak' },
  async ({ page, open }) => {
    const home = new Home(page);
    const responsePromise = page.waitForResponse('**/wps/relay/GCSGAME_hotGamesV2**');
    await open('/m/home');
    const { value } = (await (await responsePromise).json()) as { value: { list: object[] } };
    expect(value.list.length).toBeGreaterThan(21);
    await expect(home.tiles).toHaveCount(21);
    await home.hotGames.getByRole('link', { name: home.text('More'), exact: true }).tap();
    await expect(page).toHaveURL('/m/gameList?type=hot');
    await expect(new GameList(page).tiles.first()).toBeVisible();
  },
);

test(
  'HM-06 a member has favourites with a "more" button and hot games; a visitor has no favourites',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const front = new Front(page);
    const session = await newMember(server, request);
    await open('/m/home');
    await expect(front.tiles).toHaveCount(21);
    await front.scrollToEnd();
    await expect(front.block('Favourites')).toHaveCount(0);

    await page.evaluate((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, String(value));
      localStorage.setItem('merchantCode', 'fairground');
    }, session);
    await page.goto('/m/home');
    await expect(front.tiles).toHaveCount(21);
    const star = front.tiles.first().getByRole('button');
    const name = ((await front.tiles.first().getByRole('link').textContent()) ?? '').trim();
    await front.expectMessage('Changes saved', () => star.tap());
    await front.scrollToEnd();
    const block = front.block('Favourites');
    await expect(block.getByRole('article')).toHaveCount(1);
    await expect(block.getByRole('article')).toContainText(name);
    await block.getByRole('link', { name: front.text('More'), exact: true }).tap();
    await expect(page).toHaveURL('/m/gameList?type=fav');
  },
);

test('LY-07 LY-08 the footer has the providers in order with their logos, three badges and the Vietnamese line', async ({
  page,
  open,
}) => {
  const front = new Front(page, 'en');
  await open('/m/home', { language: 'en' });
  await expect(front.tiles).toHaveCount(21);
  await front.scrollToEnd();
  const providers = front.block('Game providers');
  await providers.scrollIntoViewIfNeeded();
  const links = providers.getByRole('link');
  await expect(links.first()).toBeVisible();
  const codes = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('vassalage')),
  );
  expect(codes.slice(0, 4)).toEqual(['EG3', 'PG', 'FC', 'JL']);
  expect(codes).toContain('TCG_LOTTO_VN');
  for (const code of ['EG3', 'PG', 'FC', 'JL', 'TCG_SEA']) {
    expect(codes.slice(4), code).not.toContain(code);
  }
  const logo = links.first().locator('img');
  await expect(logo).toHaveAttribute('src', /vendors\/EG3\.webp$/);
  await expect
    .poll(() => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);

  const footer = front.main.locator('footer');
  const settingsResponse = await page.request.get('/wps/system/settings/consolidated');
  const { value } = (await settingsResponse.json()) as { value: { licences: { name: string }[] } };
  expect(value.licences).toHaveLength(3);
  for (const { name } of value.licences) {
    await expect(footer.getByText(name, { exact: true })).toBeVisible();
  }
  const line = footer.locator('p[lang=vi]');
  await expect(line).toHaveText('© 2026 Fairground. Bảo lưu mọi quyền.');
});

test(
  'GL-01 GL-02 games of lottery vendors open the lottery lobby, or the launcher with its lobby',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const list = new GameList(page);
    await open('/m/home', { session: await login() });
    for (const [vendor, address] of [
      ['TCG_LOTTO_VN', '/m/lottery'],
      ['TCG_SEA', '/m/lottery'],
      ['LOTT', '/m/launchGame?code=lobby'],
      ['ELOTT', '/m/launchGame?code=lobby'],
    ] as const) {
      await test.step(vendor, async () => {
        await page.goto(`/m/gameList?vassalage=${vendor}`);
        await list.tiles.first().getByRole('link').tap();
        await expect(page).toHaveURL(address);
      });
    }
  },
);

test(
  'RT-27 banner part: a banner opens with its text and picture',
  { tag: '@soak' },
  async ({ page, open }) => {
    const front = new Front(page);
    const responsePromise = page.waitForResponse('**/MCSFE_getListAnnouncements**m_home**');
    await open('/m/home');
    const { value } = (await (await responsePromise).json()) as { value: Announcement[] };
    const banner = value.find(({ type }) => type === 'B')!;
    await front.goTo(`/m/banner/${banner.id}`);
    const article = front.main.getByRole('article');
    await expect(article.getByRole('heading', { name: banner.title })).toBeVisible();
    await expect(article.locator('img')).toBeVisible();
    await article.locator(`a[href="${banner.url}"]`).tap();
    await expect(page).toHaveURL(banner.url);
  },
);

for (const reading of ['a', 'b'] as const) {
  test(
    `RT-29 reading ${reading}: a blocked IP address, then maintenance, is shown on every route, to visitors and members`,
    inGate(reading === 'a'),
    async ({ page, open, server, login }) => {
      const home = new Home(page);
      const session = await login();
      const message = (id: string) => page.getByText(home.text(id)).first();
      await server.set('system.status_reading', reading);
      await server.set('system.blocked_networks', ['127.0.0.0/8']);
      try {
        await open('/m/help');
        for (const path of ['/m/help', '/m/login', '/m/nowhere']) {
          await home.goTo(path);
          await expect(message('IP restricted: access denied')).toBeVisible();
          await expect(home.bottomMenu).toHaveCount(0);
          await expect(home.header).toHaveCount(0);
        }
        await page.evaluate((items) => {
          for (const [key, value] of Object.entries(items))
            localStorage.setItem(key, String(value));
        }, session);
        await page.goto('/m/member/home');
        await expect(message('IP restricted: access denied')).toBeVisible();

        await server.set('system.maintenance', { on: true });
        await page.goto('/m/withdraw');
        await expect(message('System under maintenance')).toBeVisible();
        await expect(home.bottomMenu).toHaveCount(0);
      } finally {
        await server.set('system.maintenance', { on: false });
        await server.set('system.blocked_networks', []);
        await server.set('system.status_reading', 'a');
      }
      await page.goto('/m/home');
      await expect(home.tiles).toHaveCount(21);
    },
  );
}
