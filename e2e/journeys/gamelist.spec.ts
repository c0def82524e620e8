import { GameList, numberIn, journeyLanguages, watchCalls } from '../pages/games.ts';
import { stopClock } from '../support/clock.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

for (const [language, typed, found] of [
  ['vi', 'rong va', 'Rồng Vàng Hạ Long'],
  ['en', 'golden dra', 'Golden Bay Dragon'],
  ['pt', 'dragao dour', 'Dragão Dourado da Baía'],
] as const) {
  test(
    `RT-18, LB-11 the search ignores accents, highlights matches, and is kept in the URL: ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      const lists = watchCalls(page, 'GCSGAME_gameList');
      await page.clock.install();
      await open('/m/gameList', { language });
      const list = new GameList(page, language);
      await expect(list.tiles).toHaveCount(21);
      await stopClock(page);
      const before = lists.length;
      await list.search.pressSequentially(typed);
      await page.clock.resume();
      await expect(list.tile(found)).toBeVisible();
      await expect(list.marked).not.toHaveCount(0);
      await expect(page).toHaveURL(`/m/gameList?gameName=${typed.replaceAll(' ', '+')}`);
      expect(lists.length).toBe(before + 1);
      await page.reload();
      await expect(list.tile(found)).toBeVisible();
      await expect(list.search).toHaveValue(typed);
    },
  );
}

for (const language of journeyLanguages) {
  test(
    `LB-11 the filter button shows the number of matches, and chips remove filters: ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      await open('/m/gameList?gameType=RNG', { language });
      const list = new GameList(page, language);
      await expect(list.tiles).toHaveCount(21);
      await expect(list.count).toContainText('178');
      await list.openFilters();
      await expect(list.apply).toContainText('178');
      await list.sheet.getByRole('checkbox', { name: 'Jade Lantern' }).tap();
      await expect(list.apply).toContainText('26');
      await list.sheet.getByRole('radio', { name: '50+' }).tap();
      await expect(list.apply).not.toContainText('26');
      const left = numberIn(await list.apply.innerText());
      expect(left).toBeGreaterThan(0);
      await list.apply.tap();
      await expect(page).toHaveURL('/m/gameList?gameType=RNG&vassalage=JL&minLine=50');
      await expect(list.sheet).toHaveCount(0);
      await expect(list.tiles).toHaveCount(left);
      expect(numberIn(await list.count.innerText())).toBe(left);
      const removal = (text: string) => list.text('Remove filter: {text}').replace('{text}', text);
      await list.main.getByRole('button', { name: removal('Jade Lantern') }).tap();
      await expect(page).toHaveURL('/m/gameList?gameType=RNG&minLine=50');
    },
  );
}

test('tabs switch the category, and going back restores the list', async ({ page, open }) => {
  await open('/m/gameList?gameType=RNG');
  const list = new GameList(page);
  await expect(list.tiles).toHaveCount(21);
  await list.tabs.locator('a[href="/m/gameList?gameType=LIVE"]').tap();
  await expect(page).toHaveURL('/m/gameList?gameType=LIVE');
  await expect(list.count).toContainText('30');
  await list.scrollFor(30);
  await expect(list.tiles).toHaveCount(30);
  await page.evaluate(() => window.scrollTo(0, 700));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700);
  await (await list.tileInView()).getByRole('link').tap();
  await expect(page).toHaveURL(/\/m\/login/);
  await page.goBack();
  await expect(page).toHaveURL('/m/gameList?gameType=LIVE');
  await expect(list.tiles).toHaveCount(30);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700);
});

test('a list reserves the height of its rows before they render, and distant rows load no pictures', async ({
  page,
  open,
}) => {
  await open('/m/gameList?type=hot');
  const list = new GameList(page);
  await expect(list.tiles).toHaveCount(48);
  const picture = list.tiles.last().locator('img');
  await expect(picture).not.toHaveAttribute('src');
  const scrollHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await scrollHeight();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(picture).toHaveAttribute('src', /./);
  expect(await scrollHeight()).toBe(before);
  const overflowing = await list.tiles.last().evaluate((tile) => {
    const item = tile.closest('[role=listitem]')!;
    const block = item.parentElement!.getBoundingClientRect();
    return item.getBoundingClientRect().bottom - block.bottom;
  });
  expect(overflowing).toBeLessThanOrEqual(-9.5);
});

test(
  'LB-11 order part: another sort order applies to every page of the list',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/gameList?gameType=FISH');
    const list = new GameList(page);
    await expect(list.tiles).toHaveCount(21);
    const popular = await list.names();
    await list.sort.selectOption('name');
    await expect(page).toHaveURL('/m/gameList?gameType=FISH&sort=name');
    await expect.poll(() => list.names()).not.toEqual(popular);
    await list.scrollFor(28);
    await expect(list.tiles).toHaveCount(28);
    const names = await list.names();
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'vi')));
  },
);

test(
  'LB-05 a search without matches shows the reason, suggestions and similar games',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/gameList?gameType=RNG&vassalage=JL,PG&gameName=rong+xanh+88');
    const list = new GameList(page);
    await expect(page.getByText(list.text('No game found'))).toBeVisible();
    await expect(page.getByText(/rong xanh 88.*Jade Lantern.*Paper Garden/)).toBeVisible();
    await expect(list.tiles.first()).toBeVisible();
    await list.link('Drop the filters').tap();
    await expect(page).toHaveURL('/m/gameList?gameType=RNG&gameName=rong+xanh+88');
    await list.link('See hot games').tap();
    await expect(page).toHaveURL('/m/gameList?type=hot');
    await expect(list.tiles).toHaveCount(48);
  },
);

test(
  'invalid parameters in the URL show the default list or no games, but no error',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/gameList?gameType=NONE&vassalage=NOBODY&gameClassify=odd');
    const list = new GameList(page);
    await expect(page.getByText(list.text('No game found'))).toBeVisible();
    await page.goto('/m/gameList?minBet=-1&minLine=abc&sort=price&type=cold&vassalage=%3Cb%3E');
    await expect(list.tiles).toHaveCount(21);
    await page.goto(`/m/gameList?gameName=${'x'.repeat(500)}`);
    await expect(page.getByText(list.text('No game found'))).toBeVisible();
  },
);

test('ER-02 list part: a failed page keeps the loaded games and shows the count, and a tap retries', async ({
  page,
  open,
}) => {
  const isSecondPage = (url: URL) => url.searchParams.get('pageNo') === '2';
  await page.route(isSecondPage, (route) => route.fulfill({ status: 503, body: '{}' }));
  await open('/m/gameList?gameType=FISH');
  const list = new GameList(page);
  await expect(list.tiles).toHaveCount(21);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(list.failure).toContainText('21');
  await expect(list.failure).toContainText('28');
  await expect(list.tiles).toHaveCount(21);
  await page.unroute(isSecondPage);
  await list.failure.tap();
  await expect(list.tiles).toHaveCount(28);
});

test(
  'an empty catalogue and an incomplete response show no error',
  { tag: '@soak' },
  async ({ page, open }) => {
    let value: unknown = { games: [], pageNum: 1, totalPages: 0, total: 0 };
    await page.route('**/wps/relay/GCSGAME_gameList**', (route) =>
      route.fulfill({ json: { success: true, value } }),
    );
    await open('/m/gameList');
    const list = new GameList(page);
    await expect(page.getByText(list.text('No games here yet'))).toBeVisible();
    value = { games: [{ gameName: 'No id' }, { nodeId: '5', gameName: 'Bare' }] };
    await page.reload();
    await expect(list.tiles).toHaveCount(1);
    await expect(list.tile('Bare')).toBeVisible();
  },
);
