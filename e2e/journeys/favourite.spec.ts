import { GameList, Lobby, journeyLanguages, watchCalls } from '../pages/games.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { stopClock } from '../support/clock.ts';
import { newMember, password } from '../support/member.ts';
import { shownMessages } from '../support/messages.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

for (const language of [...journeyLanguages, 'ur'] as const) {
  test(
    `LB-09, LB-10, EN-12, CA-11 a visitor’s star leads to the login and back, and a member’s star is saved: ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const { userName } = await newMember(server, request);
      const added = watchCalls(page, 'MCSFE_addFavoriteGameV2');
      const removed = watchCalls(page, 'MCSFE_removeFavoriteGameV2');
      const listed = watchCalls(page, 'MCSFE_getFavoriteGames');
      await open('/m/gameList?gameType=FISH', { language });
      const list = new GameList(page, language);
      await expect(list.tiles).toHaveCount(21);
      const name = await list.nameOf(list.tiles.nth(1));
      const tile = list.tile(name.trim());
      await list.star(tile).tap();
      await expect(page).toHaveURL(/\/m\/login\?return=/);
      expect(added).toHaveLength(0);
      await new Login(page, language).logIn(userName, password);
      await expect(page).toHaveURL('/m/gameList?gameType=FISH');

      await expect(list.star(tile)).toHaveAttribute('aria-pressed', 'false');
      await list.expectMessage('Changes saved', () => list.star(tile).tap());
      await expect(list.star(tile)).toHaveAttribute('aria-pressed', 'true');
      await page.reload();
      await expect(list.star(tile)).toHaveAttribute('aria-pressed', 'true');

      await page.goto('/m/game?category=FAV');
      const lobby = new Lobby(page, language);
      await expect(lobby.tiles).toHaveCount(1);
      await lobby.expectMessage('Changes saved', () => lobby.star(lobby.tiles).tap());
      await expect(page.getByText(lobby.text('No favourites yet'))).toBeVisible();
      const games = await request.get(`/wps/relay/GCSGAME_gameList?gameType=FISH&pageSize=2`);
      type Page = { value: { games: { nodeId: string; vassalage: string }[] } };
      const { nodeId, vassalage: vendor } = ((await games.json()) as Page).value.games[1]!;
      await expect.poll(() => removed.length).toBe(1);
      expect(added.map(({ method, body }) => [method, body])).toEqual([
        ['POST', { nodeId, vendor }],
      ]);
      expect(removed.map(({ method, query }) => [method, Object.fromEntries(query)])).toEqual([
        ['DELETE', { nodeId, vendor }],
      ]);
      expect(listed.map(({ method, query }) => [method, Object.fromEntries(query)])).toContainEqual(
        ['GET', { pageNo: '1', pageSize: '100', language: language.toUpperCase() }],
      );
    },
  );
}

test(
  'LB-09, EN-12 home part: the tiles of home have stars, and say when a game is in maintenance',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await page.route('**/wps/relay/GCSGAME_hotGamesV2**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { value: { list: object[] } };
      const list = body.value.list.map((game, i) => ({ ...game, maintenance: i === 1 }));
      await route.fulfill({ response, json: { ...body, value: { list } } });
    });
    await open('/m/home', { session: await newMember(server, request) });
    const home = new Home(page);
    await expect(home.tiles).toHaveCount(21);
    // The stars load at the first touch.
    await page.mouse.wheel(0, 10);
    const star = home.tiles.first().getByRole('button');
    await expect(star).toHaveAttribute('aria-pressed', 'false');
    await home.expectMessage('Changes saved', () => star.tap());
    await expect(star).toHaveAttribute('aria-pressed', 'true');
    await expect(home.tiles.getByText(home.text('Maintenance'))).toHaveCount(1);
    await expect(home.tiles.nth(1).getByText(home.text('Maintenance'))).toBeVisible();
  },
);

test(
  'LB-08 favourites load 15 at a time on the list and 100 in the lobby',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const session = await newMember(server, request);
    const games = await request.get('/wps/relay/GCSGAME_gameList?pageSize=20');
    type Page = { value: { games: { nodeId: string; vassalage: string }[] } };
    for (const { nodeId, vassalage } of ((await games.json()) as Page).value.games) {
      const response = await request.post('/wps/relay/MCSFE_addFavoriteGameV2', {
        data: { nodeId, vendor: vassalage },
        headers: { Authorization: session.token },
      });
      expect(response.ok()).toBe(true);
    }
    const pages = watchCalls(page, 'MCSFE_getFavoriteGames');
    const pagesOfSize = (size: string) =>
      pages
        .filter(({ query }) => query.get('pageSize') === size)
        .map(({ query }) => query.get('pageNo'));
    // Holds the second page until the first has been counted, because the list loads ahead.
    const counted = Promise.withResolvers<void>();
    await page.route(/MCSFE_getFavoriteGames.*pageNo=2/, async (route) => {
      await counted.promise;
      await route.continue();
    });
    await open('/m/gameList?type=fav', { session });
    const list = new GameList(page);
    await expect(list.tiles).toHaveCount(15);
    counted.resolve();
    await list.scrollFor(20);
    await expect(list.tiles).toHaveCount(20);
    expect(new Set(pagesOfSize('15'))).toEqual(new Set(['1', '2']));
    await page.goto('/m/game?category=FAV');
    await expect(list.tiles).toHaveCount(20);
    expect(new Set(pagesOfSize('100'))).toEqual(new Set(['1']));
  },
);

test(
  'LB-09, ER-04 a double tap sends one request, and a failed star hides its loading state without an error',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    let sentCount = 0;
    let respond = () => {};
    const released = new Promise<void>((resolve) => (respond = resolve));
    await page.route('**/wps/relay/MCSFE_addFavoriteGameV2', async (route) => {
      sentCount += 1;
      await released;
      await route.fulfill({ status: 500, json: { success: false, errorCode: 'system.error' } });
    });
    await open('/m/game', { session: await newMember(server, request) });
    const lobby = new Lobby(page);
    const star = lobby.star(lobby.tiles.first());
    await lobby.expectMessage('in_please_wait', async () => {
      await star.tap();
      await star.tap({ force: true });
    });
    respond();
    await expect(lobby.toast('in_please_wait')).toHaveCount(0);
    expect(sentCount).toBe(1);
    await expect(star).toHaveAttribute('aria-pressed', 'false');
    expect(shownMessages(page).join('\n')).not.toContain(lobby.text('errors.system.error'));
    await expect(page).toHaveURL('/m/game');
  },
);

for (const language of journeyLanguages) {
  test(
    `LB-10 list part: without a session the favourites show a request to log in for 2 s: ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      await page.clock.install();
      await open('/m/gameList', { language });
      const list = new GameList(page, language);
      await expect(list.tiles).toHaveCount(21);
      await stopClock(page);
      // Uses a key, because a tap depends on the clock, which is stopped.
      await list.main.locator('a[href="/m/gameList?type=fav"]').press('Enter');
      const loginToast = list.toast('errors.login.not.session');
      await expect(loginToast).toBeVisible();
      await page.clock.runFor(1_900);
      await expect(loginToast).toBeVisible();
      await page.clock.runFor(200);
      await expect(loginToast).toHaveCount(0);
      await page.clock.resume();
      await list.link('Login').tap();
      await expect(page).toHaveURL('/m/login?return=%2Fm%2FgameList%3Ftype%3Dfav');
    },
  );
}
