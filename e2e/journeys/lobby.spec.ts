import type { Locator } from '@playwright/test';

import { Lobby, journeyLanguages, watchCalls } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { Menu } from '../pages/menu.ts';
import { newMember } from '../support/member.ts';
import { shownMessages } from '../support/messages.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

for (const language of [...journeyLanguages, 'ur'] as const) {
  test(
    `RT-19, LB-01, LB-02 the lobby lists every category: ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      const listCalls = watchCalls(page, 'GCSGAME_gameList');
      await open('/m/game', { language });
      const lobby = new Lobby(page, language);
      await expect(lobby.tiles.first()).toBeVisible();
      await expect(lobby.category('HOT')).toHaveAttribute('aria-current', 'true');
      expect(listCalls).toHaveLength(0);
      await expect(lobby.rail.getByRole('group').getByRole('link')).toHaveCount(4);
      const codes = await lobby.rail
        .getByRole('link')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.toString()),
        );
      expect(codes).toEqual([
        ...['HOT', 'FAV', 'JL', 'RNG', 'FISH', 'LIVE', 'PVP', 'SPORTS'].map((c) => `category=${c}`),
        ...['IMES', 'SV3', 'AV'].map((code) => `category=ESPORTS&vassalage=${code}`),
        'category=ESPORTS',
        'category=LOTT',
        'code=lobby',
        '',
      ]);

      await lobby.category('FISH').tap();
      await expect(page).toHaveURL('/m/game?category=FISH');
      await expect(lobby.providers).toBeVisible();
      await expect(lobby.tiles.first()).toBeVisible();
      await lobby.providers.locator('a[href$="vassalage=JL"]').tap();
      await expect(page).toHaveURL('/m/game?category=FISH&vassalage=JL');
      await expect(lobby.tiles).toHaveCount(7);

      await lobby.category('ESPORTS', 'IMES').tap();
      await expect(page).toHaveURL('/m/game?category=ESPORTS&vassalage=IMES');
      await expect(lobby.tiles).toHaveCount(6);
      await expect(lobby.providers).toHaveCount(0);
      await expect
        .poll(() => listCalls.map(({ query }) => [query.get('gameType'), query.get('vassalage')]))
        .toEqual([
          ['FISH', null],
          ['FISH', 'JL'],
          ['ESPORTS', 'IMES'],
        ]);

      // The fast lottery link launches the game directly, so a visitor is sent to the login.
      await lobby.rail.locator('a[href="/m/launchGame?code=lobby"]').tap();
      await expect(page).toHaveURL(/\/m\/login\?return=%2Fm%2FlaunchGame%3Fcode%3Dlobby/);
    },
  );
}

test(
  'LB-03, LB-06 scrolling near the end loads 21 more games, at most once a second, and another category starts at its top',
  { tag: '@soak' },
  async ({ page, open }) => {
    const listCalls = watchCalls(page, 'GCSGAME_gameList');
    await open('/m/game?category=RNG');
    const lobby = new Lobby(page);
    await expect(lobby.tiles).toHaveCount(21);
    for (const count of [2, 3, 4]) await lobby.scrollFor(21 * count);
    const pages = () => listCalls.map(({ query }) => query.get('pageNo'));
    await expect.poll(pages).toEqual(['1', '2', '3', '4']);
    expect(listCalls.every(({ query }) => query.get('pageSize') === '21')).toBe(true);
    // The first page loads with the screen, so its time does not count. The times come from the page's clock, because events arrive late on a busy machine.
    const starts = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('GCSGAME_gameList'))
        .map(({ startTime }) => startTime),
    );
    expect(starts[2]! - starts[1]!).toBeGreaterThan(900);
    expect(starts[3]! - starts[2]!).toBeGreaterThan(900);

    await lobby.category('LIVE').tap();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect(lobby.tiles.first()).toBeVisible();
    await lobby.category('RNG').tap();
    await expect(lobby.tiles).toHaveCount(21);
    await expect.poll(() => pages().slice(4)).toEqual(['1', '1']);
  },
);

test(
  'LB-06 in part: no more games load until the user scrolls near the end',
  { tag: '@soak' },
  async ({ page, open }) => {
    const listCalls = watchCalls(page, 'GCSGAME_gameList');
    await page.clock.install();
    await open('/m/game?category=RNG');
    await expect(new Lobby(page).tiles).toHaveCount(21);
    await page.clock.runFor(5_000);
    await page.evaluate(async () => void (await fetch('/wps/system/status')));
    expect(listCalls.map(({ query }) => query.get('pageNo'))).toEqual(['1']);
  },
);

test(
  'LB-06 HOT part, LB-07 all hot games load in one request, and again in another language',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    const response = await request.get('/wps/relay/GCSGAME_hotGamesV2?language=VI');
    const { value } = (await response.json()) as { value: { list: unknown[] } };
    const hot = watchCalls(page, 'GCSGAME_hotGamesV2');
    await open('/m/game');
    const lobby = new Lobby(page);
    await expect(lobby.tiles).toHaveCount(value.list.length);
    await expect.poll(() => hot.length).toBe(1);
    const menu = new Menu(page);
    await menu.open();
    const english = await menu.chooseLanguage('en');
    await page.goBack();
    await expect(english.panel).toHaveCount(0);
    await expect(lobby.tiles.first().getByRole('link')).toHaveText('Golden Bay Dragon');
    await expect.poll(() => hot.map(({ query }) => query.get('language'))).toEqual(['VI', 'EN']);
  },
);

for (const language of journeyLanguages) {
  test(
    `LB-12 a started game appears in the recent games, and going back restores the position: ${language}`,
    tagOf(language),
    async ({ page, open, server, request }) => {
      await open('/m/game?category=RNG', { language, session: await newMember(server, request) });
      const lobby = new Lobby(page, language);
      await expect(lobby.tiles).toHaveCount(21);
      await expect(lobby.recents).toHaveCount(0);
      await lobby.scrollFor(63);
      await page.evaluate(() => window.scrollTo(0, 3_000));
      const loaded = await lobby.tiles.count();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(3_000);
      const tile = await lobby.tileInView();
      const name = await lobby.nameOf(tile);
      // The server records the game at its launch, so the app must not.
      const recentGameCalls: string[] = [];
      page.on('request', (sent) => {
        if (sent.method() === 'POST' && sent.url().endsWith('GCS_recentGame'))
          recentGameCalls.push(sent.url());
      });
      const launched = page.waitForResponse((response) => response.url().endsWith('/launchGame'));
      await tile.getByRole('link').tap();
      await expect(page).toHaveURL(/\/m\/launchGame\?vendor=.+&gameCategory=RNG&gameId=.+&nodeId=/);
      await expect(page.frameLocator('iframe').getByRole('button').first()).toBeVisible();
      expect((await launched).ok()).toBe(true);
      expect(recentGameCalls).toEqual([]);

      await page.goBack();
      await expect(page).toHaveURL('/m/game?category=RNG');
      // The next page may have loaded meanwhile.
      await expect.poll(() => lobby.tiles.count()).toBeGreaterThanOrEqual(loaded);
      await expect
        .poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - 3_000))
        .toBeLessThan(140);
      await expect(lobby.recents.getByRole('link').first()).toHaveText(name);
    },
  );
}

test(
  'EN-10 lobby part: the lobby opens with the category that the operator configured',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.set('site.game_category', 'FISH');
    try {
      await open('/m/game');
      await expect(new Lobby(page).category('FISH')).toHaveAttribute('aria-current', 'true');
    } finally {
      await server.set('site.game_category', 'HOT');
    }
  },
);

test(
  'the tiles of a vendor in maintenance say so, and tapping one shows a message',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.vendor('NOX', { maintenance: true });
    try {
      await open('/m/game?category=LIVE&vassalage=NOX');
      const lobby = new Lobby(page);
      await expect(lobby.tiles.first()).toBeVisible();
      await expect(lobby.main.getByText(lobby.text('Maintenance')).first()).toBeVisible();
      await lobby.tiles.first().getByRole('link').tap();
      await expect.poll(() => shownMessages(page).join('\n')).toContain('Nocturne');
      await expect(page).toHaveURL('/m/game?category=LIVE&vassalage=NOX');
    } finally {
      await server.vendor('NOX', { maintenance: false });
    }
  },
);

test(
  'a disabled vendor has no games, and starting one of its games shows a message',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/game?category=RNG&vassalage=PG', { session: await newMember(server, request) });
    const lobby = new Lobby(page);
    await expect(lobby.tiles.first()).toBeVisible();
    await server.vendor('PG', { enabled: false });
    try {
      await lobby.tiles.first().getByRole('link').tap();
      await expect(lobby.main.getByText(lobby.text('This game is switched off'))).toBeVisible();
      await page.goto('/m/game?category=RNG&vassalage=PG');
      await expect(page.getByText(lobby.text('No game found'))).toBeVisible();
    } finally {
      await server.vendor('PG', { enabled: true });
    }
  },
);

test(
  'LB-04 a tile has its picture, the vendor, the star and the name',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/game?category=FISH');
    const lobby = new Lobby(page);
    const tile = lobby.tiles.first();
    const picture = tile.locator('img');
    await expect(picture).toHaveAttribute('src', /\/m\/art\/tiles\/fish-.+\.(webp|avif)/);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const [box, art] = [await tile.boundingBox(), await picture.boundingBox()];
    expect(art!.width).toBeGreaterThan(box!.width * 0.9);
    const listResponse = page.waitForResponse((response) =>
      response.url().includes('GCSGAME_gameList'),
    );
    await page.reload();
    const { value } = (await (await listResponse).json()) as {
      value: { games: { nodeName: string; displayName: string }[] };
    };
    const [first] = value.games;
    await expect(tile.getByRole('link')).toHaveText(first!.nodeName);
    await expect(tile.getByText(first!.displayName, { exact: true })).toBeVisible();
    await expect(lobby.star(tile)).toHaveAttribute('aria-pressed', 'false');
  },
);

test(
  'EN-13, CA-27 vendors’ part: each category lists its vendors, sorted by vendorSorting',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    const response = await request.get('/wps/relay/GCSGAME_newGameVendor');
    type Vendor = {
      accountTypeName: string;
      vendorNames: string[];
      vendorSorting: number;
      vendorCode: string;
      gameTypes: string[];
    };
    const { value: vendors } = (await response.json()) as { value: Vendor[] };
    const lobby = new Lobby(page);
    for (const group of ['RNG', 'PVP']) {
      const expectedVendors = vendors
        .filter(({ gameTypes }) => gameTypes.includes(group))
        .toSorted((a, b) => a.vendorSorting - b.vendorSorting);
      expect(expectedVendors.some(({ accountTypeName }) => accountTypeName === group)).toBe(true);
      await (group === 'RNG' ? open('/m/game?category=RNG') : page.goto('/m/game?category=PVP'));
      await expect(lobby.tiles.first()).toBeVisible();
      const chips = lobby.providers.getByRole('link');
      await expect(chips).toHaveCount(expectedVendors.length + 1);
      const shown = await chips.allInnerTexts();
      for (const [index, { vendorNames }] of expectedVendors.entries()) {
        expect(shown[index + 1]).toContain(vendorNames[0]);
      }
    }
  },
);

test(
  'LB-04 default image part: a default picture replaces a missing one',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/art/tiles/fish-*', (route) => route.abort());
    await open('/m/game?category=FISH');
    const lobby = new Lobby(page);
    const picture = lobby.tiles.first().locator('img');
    await expect(picture).toHaveAttribute('src', /tiles\/default\.webp$/);
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  },
);

test('ER-02 lobby part: the lobby shows loading, failure and offline states, and reloads on a tap or when the network returns', async ({
  page,
  open,
  context,
}) => {
  const pattern = '**/wps/relay/GCSGAME_gameList**';
  let mode: 'slow' | 'down' = 'slow';
  const released = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    if (mode === 'down') return route.fulfill({ status: 502, body: 'Bad gateway' });
    await released.promise;
    return route.continue();
  });
  await open('/m/game?category=FISH');
  const lobby = new Lobby(page);
  await expect(lobby.main.locator('[aria-busy=true]').last()).toBeVisible();
  released.resolve();
  await expect(lobby.tiles.first()).toBeVisible();

  mode = 'down';
  await lobby.category('LIVE').tap();
  await expect(lobby.failure).toBeVisible();
  await page.unroute(pattern);
  await lobby.failure.tap();
  await expect(lobby.tiles.first()).toBeVisible();

  await context.setOffline(true);
  await lobby.category('PVP').tap();
  await expect(lobby.failure).toContainText(lobby.text('errors.network.offline'));
  await context.setOffline(false);
  await expect(lobby.tiles.first()).toBeVisible();
});

test('the lobby works without storage', { tag: '@soak' }, async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/m/game?category=FISH');
  const lobby = new Lobby(page);
  await expect(lobby.tiles.first()).toBeVisible();
  await lobby.category('LIVE').tap();
  await expect(page).toHaveURL('/m/game?category=LIVE');
  await expect(lobby.tiles.first()).toBeVisible();
});

test('pulling down at the top reloads the list', { tag: '@soak' }, async ({ page, open }) => {
  const listCalls = watchCalls(page, 'GCSGAME_gameList');
  await open('/m/game?category=FISH');
  const lobby = new Lobby(page);
  await expect(lobby.tiles.first()).toBeVisible();
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: 250, y }],
    });
  await touch('touchStart', 200);
  for (const y of [220, 260, 300, 340, 380]) await touch('touchMove', y);
  await touch('touchEnd', 380);
  await expect.poll(() => listCalls.length).toBe(2);
  expect(listCalls[1]!.query.get('pageNo')).toBe('1');
});

test(
  'RT-21, LB-13 in part: the game centre links to every category, the slots centre shows slots by vendor',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/gameCenter');
    const lobby = new Lobby(page);
    const paths = [
      '/m/gameList',
      '/m/game?category=HOT',
      '/m/game?category=FAV',
      '/m/game?category=JL',
      '/m/slotsCenter',
      '/m/game?category=FISH',
      '/m/game?category=LIVE',
      '/m/game?category=PVP',
      '/m/game?category=SPORTS',
      '/m/game?category=ESPORTS',
      '/m/game?category=LOTT',
      '/m/gameList?gameType=ELOTT',
      '/m/liveStream',
      '/m/activity',
      '/m/home',
    ];
    for (const path of paths) {
      await expect(lobby.main.locator(`a[href="${path}"]`).first()).toBeVisible();
    }
    for (const path of ['/m/game?category=ESPORTS', '/m/gameList?gameType=ELOTT']) {
      await lobby.main.locator(`a[href="${path}"]`).tap();
      await expect(page).toHaveURL(path);
      await expect(lobby.tiles.first()).toBeVisible();
      await page.goBack();
    }
    await lobby.main.locator('a[href="/m/slotsCenter"]').tap();
    await expect(lobby.title).toHaveText(lobby.text('RNG'));
    await expect(lobby.bottomMenu).toHaveCount(0);
    await expect(lobby.main.getByRole('heading', { name: 'Paper Garden' })).toBeVisible();
    await expect(lobby.tiles.first()).toBeVisible();
    await lobby.main.locator('a[href="/m/gameList?gameType=RNG&vassalage=PG"]').tap();
    await expect(page).toHaveURL('/m/gameList?gameType=RNG&vassalage=PG');
  },
);

test(
  'LB-13 in part: every category opens from the game centre and shows its games or its screen',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/gameCenter', { session: await newMember(server, request) });
    const lobby = new Lobby(page);
    const openCategory = async (path: string, shown: () => Locator) => {
      await lobby.main.locator(`a[href="${path}"]`).first().tap();
      await expect(page).toHaveURL(path);
      await expect(shown().first()).toBeVisible();
      await page.goBack();
      await expect(lobby.title).toHaveText(lobby.text('Game center'));
    };
    const codes = ['HOT', 'JL', 'FISH', 'LIVE', 'PVP', 'SPORTS', 'ESPORTS', 'LOTT'];
    for (const path of [
      '/m/gameList',
      '/m/gameList?gameType=ELOTT',
      '/m/slotsCenter',
      ...codes.map((code) => `/m/game?category=${code}`),
    ]) {
      await openCategory(path, () => lobby.tiles);
    }
    await openCategory('/m/game?category=FAV', () =>
      page.getByText(lobby.text('No favourites yet')),
    );
    for (const [path, title] of [
      ['/m/liveStream', 'Live streams'],
      ['/m/activity', 'Promotion'],
    ] as const) {
      await openCategory(path, () => lobby.title.filter({ hasText: lobby.text(title) }));
    }
    await openCategory('/m/home', () => new Home(page).hotGames);
  },
);
