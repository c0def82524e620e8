import type { Page, Request } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { GameList, Lobby } from '../pages/games.ts';
import { newMember } from '../support/member.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

/** Waits for the next request to a path. Returns the request and the value of its response. */
async function nextCall(page: Page, call: string) {
  const response = await page.waitForResponse((candidate) =>
    new URL(candidate.url()).pathname.endsWith(call),
  );
  const { value } = (await response.json()) as { value: unknown };
  return { sent: response.request(), value };
}

const queryOf = (sent: Request) => Object.fromEntries(new URL(sent.url()).searchParams);

type Game = { nodeName: string; lottoMode: string };

for (const language of ['vi', 'ur'] as const) {
  test(
    `CA-07 OS-04 the winner board requests a hundred rows and labels each amount: ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      type Board = { list: { vo: { customerName: string; gameName: string } }[] };
      const call = nextCall(page, 'GCSGAME_getRankList');
      await open('/m/winnerBoard', { language });
      const { sent, value } = await call;
      const { list } = value as Board;
      expect(sent.method()).toBe('GET');
      expect(queryOf(sent)).toEqual({
        gameCategory: 'ALL',
        language: language.toUpperCase(),
        limitNum: '100',
      });
      const front = new Front(page, language);
      const board = front.block('Latest wins');
      const rows = board.getByRole('listitem');
      await expect(rows).toHaveCount(list.length);
      const { vo } = list[0]!;
      await expect(rows.first()).toContainText(vo.customerName);
      await expect(rows.first()).toContainText(vo.gameName);
      await expect(rows.filter({ hasText: /[+−]/ })).toHaveCount(0);
      const message = front.text('Each amount is what a round paid out, its stake included.');
      await expect(board.getByText(message)).toBeVisible();
    },
  );
}

test(
  'CA-08 the list sends every parameter and shows the games of the response',
  { tag: '@soak' },
  async ({ page, open }) => {
    const call = nextCall(page, 'GCSGAME_gameList');
    const filters =
      'gameName=rong&vassalage=JL,PG&gameClassify=myth,collect&minBet=100000&minLine=5'.replaceAll(
        ',',
        '%2C',
      );
    await open(`/m/gameList?gameType=RNG&${filters}`);
    const { sent, value } = await call;
    expect(queryOf(sent)).toEqual({
      merchant: 'fairground',
      platform: 'html5',
      gameName: 'rong',
      gameType: 'RNG',
      pageNo: '1',
      pageSize: '21',
      vassalage: 'JL,PG',
      gameClassify: 'myth,collect',
      minBet: '100000',
      minLine: '5',
      language: 'VI',
    });
    const { games } = value as { games: Game[] };
    expect(games.length).toBeGreaterThan(0);
    const list = new GameList(page);
    await expect(list.tiles).toHaveCount(games.length);
    await expect(list.tiles.first()).toContainText(games[0]!.nodeName);
  },
);

test(
  'EN-06 a game is shown and started with either set of field names',
  { tag: '@soak' },
  async ({ page, open }) => {
    const icon = '/m/art/tiles/rng-001.webp';
    const usualFields = {
      gameId: 'one',
      nodeId: '1',
      nodeName: 'One',
      vassalage: 'JL',
      gameCategory: 'RNG',
      iconUrl: icon,
    };
    const otherFields = {
      roomId: 'two',
      nodeId: '2',
      gameName: 'Two',
      vendorCode: 'PG',
      displayName: 'Paper Garden',
      gameType: 'RNG',
      showIcon: icon,
      supportPlay: false,
    };
    await page.route('**/wps/relay/GCSGAME_hotGamesV2?**', (route) =>
      route.fulfill({ json: { success: true, value: { list: [usualFields, otherFields] } } }),
    );
    await open('/m/home');
    const { tiles } = new Front(page);
    await expect(tiles).toHaveText([/One/, /Two/]);
    await expect(tiles).toContainText(['JL', 'Paper Garden']);
    const launch = (game: string) => `/m/launchGame?${game}`;
    const paths = [
      'vendor=JL&gameCategory=RNG&gameId=one&nodeId=1&supportPlay=true',
      'vendor=PG&gameCategory=RNG&gameId=two&nodeId=2&supportPlay=false',
    ].map(launch);
    for (const [index, path] of paths.entries()) {
      await expect(tiles.nth(index).getByRole('link')).toHaveAttribute('href', path);
      await expect(tiles.nth(index).locator('img')).toHaveAttribute('src', icon);
    }
  },
);

for (const [language, requested] of [
  ['vi', 'VI'],
  ['en', 'EN'],
  ['ur', 'EN'],
  ['pt', 'PT'],
] as const) {
  test(
    `CA-09 KO-08 hot games for ${language} are requested as ${requested}, and lists and headers use ${language}`,
    inGate(language === 'vi'),
    async ({ page, open }) => {
      const hot = nextCall(page, 'GCSGAME_hotGamesV2');
      await open('/m/home', { language });
      const { sent, value } = await hot;
      expect(queryOf(sent)).toEqual({
        merchantCode: 'fairground',
        isPlatform: '2',
        language: requested,
        platform: 'html5',
      });
      const front = new Front(page, language);
      await expect(front.tiles.first()).toContainText(
        (value as { list: Game[] }).list[0]!.nodeName,
      );

      const lottery = nextCall(page, 'GCSGAME_gameList');
      await page.goto('/m/gameList?gameType=LOTT');
      const { sent: list, value: lotteryValue } = await lottery;
      expect(queryOf(list)).toMatchObject({ clientType: '2', language: language.toUpperCase() });
      expect(queryOf(list)).not.toHaveProperty('platform');
      expect(list.headers()['language']).toBe(language.toUpperCase());
      const { games } = lotteryValue as { games: Game[] };
      const modes = new Set(games.flatMap(({ lottoMode }) => lottoMode.split(',')));
      expect([...modes].toSorted()).toEqual(['Entertainment', 'Tradition']);
    },
  );
}

test(
  'CA-13 notices are requested by types, platform and merchant, and an opened notice is marked as read',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    type Notice = { id: string; title: string; read: boolean };
    const list = nextCall(page, 'MCSFE_getListAnnouncements');
    const session = await newMember(server, request);
    await open('/m/notice', { session });
    const { sent, value } = await list;
    expect(queryOf(sent)).toEqual({ types: 'PL', platform: 'M', merchantCode: 'fairground' });
    expect(sent.headers()['authorization']).toBe(session.token);
    const front = new Front(page);
    const unread = (value as Notice[]).find(({ read }) => !read)!;
    const mark = nextCall(page, 'MCSFE_markAnnouncementAsRead');
    const card = front.main.getByRole('button', { name: unread.title });
    await card.tap();
    const marked = (await mark).sent;
    expect(marked.method()).toBe('POST');
    expect(marked.postDataJSON()).toEqual({ announcementId: unread.id, read: true });
    await page.reload();
    await expect(card).toBeVisible();
    await expect(card).not.toContainText(front.text('Unread'));
  },
);

for (const language of ['vi', 'ur'] as const) {
  test(
    `CA-14 the lobby shows its news below the hot games: ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const call = nextCall(page, 'GLS2_lobbyNews');
      await open('/m/game', { language });
      const lobby = new Lobby(page, language);
      await expect(lobby.tiles.first()).toBeVisible();
      const news = lobby.main.getByRole('region', { name: lobby.text('News'), exact: true });
      await expect
        .poll(async () => {
          await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
          return news.isVisible();
        })
        .toBe(true);
      const { sent, value } = await call;
      expect(queryOf(sent)).toEqual({ platform: 'M', merchantCode: 'fairground' });
      const links = news.getByRole('listitem').getByRole('link');
      const all = value as { id: string; title: string; url: string }[];
      await expect(links).toHaveText(all.slice(0, 3).map(({ title }) => title));
      const path = all[0]!.url || `/m/banner/${all[0]!.id}`;
      await expect(links.first()).toHaveAttribute('href', path);
      await links.first().tap();
      await expect(page).toHaveURL(path);
    },
  );
}

test(
  'CA-28 the customer service list and the most read notices are shown',
  { tag: '@soak' },
  async ({ page, open }) => {
    const services = nextCall(page, '/wps/system/customerService');
    await open('/m/service');
    const front = new Front(page);
    const offered = (await services).value as { csType: string }[];
    expect(offered.map(({ csType }) => csType)).toContain('CS');
    await expect(front.main.getByRole('link').first()).toBeVisible();

    type Notice = { id: string; title: string };
    const list = nextCall(page, 'MCSFE_getListAnnouncements');
    await page.goto('/m/notice');
    const notices = (await list).value as Notice[];
    const popular = nextCall(page, 'MCSFE_getPopularAnnouncements');
    await front.button('Read most').tap();
    const value = (await popular).value as Notice[];
    const known = value.filter(({ id }) => notices.some((notice) => notice.id === id));
    expect(known.length).toBeGreaterThan(0);
    const cards = front.main.getByRole('listitem');
    await expect(cards).toHaveCount(known.length);
    for (const [index, { title }] of known.entries()) {
      await expect(cards.nth(index)).toContainText(title);
    }
  },
);

test(
  'RG-10 the registration shows the banners of type B in group m_reg',
  { tag: '@soak' },
  async ({ page, open }) => {
    const call = nextCall(page, 'MCSFE_getListAnnouncements');
    await open('/m/register');
    const { sent, value } = await call;
    expect(queryOf(sent)).toEqual({
      types: 'B',
      groupName: 'm_reg',
      platform: 'M',
      merchantCode: 'fairground',
    });
    const all = value as { title: string; type: string }[];
    expect(all.length).toBeGreaterThan(0);
    const banners = new Front(page).banners;
    await banners.scrollIntoViewIfNeeded();
    for (const { title, type } of all) {
      expect(type).toBe('B');
      await expect(banners.getByRole('link', { name: title }).first()).toBeAttached();
    }
  },
);

test(
  'LB-02 each category shows its kind of list: hot and favourites like home, a choice of vendors, or a plain list',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/game', { session: await newMember(server, request) });
    const lobby = new Lobby(page);
    const calls: string[] = [];
    page.on('request', (sent) => {
      const call = /GCSGAME_gameList|MCSFE_getFavoriteGames/.exec(sent.url())?.[0];
      if (call) calls.push(`${call} ${queryOf(sent)['gameType'] ?? ''}`.trim());
    });
    await expect(lobby.tiles.first()).toBeVisible();
    await lobby.category('FAV').tap();
    await expect(page).toHaveURL('/m/game?category=FAV');
    await expect(lobby.main.getByText(lobby.text('No favourites yet')).first()).toBeVisible();
    await expect.poll(() => new Set(calls)).toEqual(new Set(['MCSFE_getFavoriteGames']));
    await expect(lobby.providers).toHaveCount(0);
    for (const code of ['JL', 'RNG', 'FISH', 'LIVE', 'PVP', 'SPORTS', 'LOTT']) {
      await lobby.category(code).tap();
      await expect(page).toHaveURL(`/m/game?category=${code}`);
      await expect(lobby.tiles.first()).toBeVisible();
      await expect.poll(() => calls.at(-1)).toBe(`GCSGAME_gameList ${code}`);
      // JL is itself a vendor, so its category has no choice of vendors.
      await expect(lobby.providers).toHaveCount(['JL', 'SPORTS', 'LOTT'].includes(code) ? 0 : 1);
    }
  },
);

for (const language of ['vi', 'ur'] as const) {
  test(
    `tapping a game without a server shows a message, not the login: ${language}`,
    inGate(language === 'vi'),
    async ({ page, open }) => {
      const front = new Front(page, language);
      const games = front.main.getByRole('article');
      const message = 'Games of this kind cannot be played here yet.';
      await open('/m/gameList?gameType=FISH', { language });
      await front.expectMessage(message, () => games.first().getByRole('link').tap());
      await expect(page).toHaveURL('/m/gameList?gameType=FISH');
      await page.goto('/m/gameList?gameType=PVP');
      await front.expectMessage(message, () => games.first().getByRole('link').tap());
      await expect(page).toHaveURL('/m/gameList?gameType=PVP');
      await page.goto('/m/gameList?gameType=RNG');
      await games.first().getByRole('link').tap();
      await expect(page).toHaveURL(/\/m\/login\?return=/);
    },
  );
}

test(
  'LB-12 CA-12 an opened lottery appears in the recent games',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/gameList?vassalage=TCG_SEA', { session: await newMember(server, request) });
    const list = new GameList(page);
    const name = await list.nameOf(list.tiles.first());
    const recorded = nextCall(page, 'GCS_recentGame');
    await list.tiles.first().getByRole('link').tap();
    const { sent } = await recorded;
    expect(sent.method()).toBe('POST');
    await expect(page).toHaveURL('/m/lottery');
    const listRequest = nextCall(page, 'GCS_recentGame');
    await page.goto('/m/game');
    const { sent: listed, value } = await listRequest;
    expect([listed.method(), queryOf(listed)]).toEqual(['GET', { language: 'VI' }]);
    const [last] = (value as { list: { nodeId: string }[] }).list;
    expect(sent.postDataJSON()).toEqual({ nodeId: last!.nodeId });
    await expect(new Lobby(page).recents.getByRole('link').first()).toHaveText(name);
  },
);
