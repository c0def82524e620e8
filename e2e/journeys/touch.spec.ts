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
  const restingClass = (await tile.getAttribute('class'))!;
  const currentClass = () => tile.getAttribute('class');
  const starRequests: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('FavoriteGameV2')) starRequests.push(sent.method());
  });

  await page.clock.install();
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 10_000);
  const link = tile.getByRole('link');
  const touchEvent = { pointerType: 'touch', isPrimary: true, clientX: 100, clientY: 300 };
  await link.dispatchEvent('pointerdown', touchEvent);
  await page.clock.runFor(129);
  expect(await currentClass()).toBe(restingClass);
  await page.clock.runFor(1);
  await expect.poll(currentClass).not.toBe(restingClass);
  await page.clock.runFor(239);
  expect(starRequests).toEqual([]);
  await page.clock.runFor(1);
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await link.dispatchEvent('pointerup', touchEvent);
  await expect.poll(currentClass).toBe(restingClass);
  await link.dispatchEvent('click');
  await expect(page).toHaveURL('/m/gameList?gameType=RNG');
  await expect.poll(() => starRequests).toEqual(['POST']);
});

for (const [path, call, role] of [
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
      const pattern = `**/wps/relay/${call}**`;
      await page.route(pattern, (route) => route.abort('internetdisconnected'));
      await open(path);
      const retryButton = front.main
        .getByRole('button', { name: front.text('Load failed, tap to retry') })
        .first();
      await expect(retryButton).toBeVisible();
      const rows = front.main.getByRole(role);
      await expect(rows).toHaveCount(0);
      const retryRequest = page.waitForRequest(pattern);
      await retryButton.tap();
      await retryRequest;
      await expect(retryButton).toBeVisible();
      await page.unroute(pattern);
      await tapIfThere(retryButton);
      await expect(rows.first()).toBeVisible();
      await expect(retryButton).toBeHidden();
    },
  );
}
