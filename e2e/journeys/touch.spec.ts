import { Front } from '../pages/front.ts';
import { GameList } from '../pages/games.ts';
import { newMember } from '../support/member.ts';
import { tapIfThere } from '../support/tap.ts';
import { expect, test } from '../support/test.ts';

test('KO-05 a tile looks pressed after 130 ms, and a long press of 370 ms presses its star', async ({
  page,
  open,
  server,
  request,
}) => {
  await open('/m/gameList?gameType=RNG', { session: await newMember(server, request) });
  const list = new GameList(page);
  await expect(list.tiles).toHaveCount(21);
  const tile = list.tiles.first();
  const star = list.star(tile);
  await expect(star).toHaveAttribute('aria-pressed', 'false');
  const rested = (await tile.getAttribute('class'))!;
  const look = () => tile.getAttribute('class');
  const stars: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('FavoriteGameV2')) stars.push(sent.method());
  });

  await page.clock.install();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 10_000);
  const link = tile.getByRole('link');
  const touchEvent = { pointerType: 'touch', isPrimary: true, clientX: 100, clientY: 300 };
  await link.dispatchEvent('pointerdown', touchEvent);
  await page.clock.runFor(129);
  expect(await look()).toBe(rested);
  await page.clock.runFor(1);
  await expect.poll(look).not.toBe(rested);
  await page.clock.runFor(239);
  expect(stars).toEqual([]);
  await page.clock.runFor(1);
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await link.dispatchEvent('pointerup', touchEvent);
  await expect.poll(look).toBe(rested);
  await link.dispatchEvent('click');
  await expect(page).toHaveURL('/m/gameList?gameType=RNG');
  await expect.poll(() => stars).toEqual(['POST']);
});

for (const [path, call, title] of [
  ['/m/home', 'GCSGAME_hotGamesV2', 'article'],
  ['/m/notice', 'MCSFE_getListAnnouncements', 'listitem'],
  ['/m/winnerBoard', 'GCSGAME_getRankList', 'listitem'],
  ['/m/game', 'GCSGAME_hotGamesV2', 'article'],
] as const) {
  test(
    `ER-02 ${path}: a network failure shows its reason, and a tap retries`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const front = new Front(page);
      const address = `**/wps/relay/${call}**`;
      await page.route(address, (route) => route.abort('internetdisconnected'));
      await open(path);
      const failed = front.main
        .getByRole('button', { name: front.text('Load failed, tap to retry') })
        .first();
      await expect(failed).toBeVisible();
      const rows = front.main.getByRole(title);
      await expect(rows).toHaveCount(0);
      const again = page.waitForRequest(address);
      await failed.tap();
      await again;
      await expect(failed).toBeVisible();
      await page.unroute(address);
      await tapIfThere(failed);
      await expect(rows.first()).toBeVisible();
      await expect(failed).toBeHidden();
    },
  );
}
