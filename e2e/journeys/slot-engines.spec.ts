import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Play, digits } from '../pages/play.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

// The wins appear on the winner board.
test.use({ leavesWins: true });

const initialBalance = 1_000_000;

type ServedGame = { engine: string };
type Category = { games: Record<string, ServedGame>; other?: ServedGame };
type Demo = { gameId: string; vendor: string; category: string };

const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'));

function gamePath(engine: string, wantedCategory: string): string {
  const served = read('internal/game/house/round/games.json') as Record<string, Category>;
  const game = (read('internal/demo/data/games.json') as Demo[]).find(({ gameId, category }) => {
    const kind = served[category];
    return category === wantedCategory && (kind?.games[gameId] ?? kind?.other)?.engine === engine;
  });
  if (!game) throw new Error(`no game of ${wantedCategory} is played with ${engine}`);
  const { vendor, category, gameId } = game;
  return `/m/launchGame?vendor=${vendor}&gameCategory=${category}&gameId=${gameId}&supportPlay=true`;
}

for (const [category, engine, kind] of [
  ['RNG', 'slot', 'lines'],
  ['RNG', 'ways', 'ways'],
  ['RNG', 'cascade', 'cascade'],
  ['JL', 'slot', 'lines'],
] as const) {
  test(
    `GL-07 PP-01 PP-15 ${category} ${engine}: rounds are won and lost, balance and record agree, and a reload resumes, also during a round`,
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      test.setTimeout(600_000);
      const session = await newMember(server, request);
      await server.adjust(session.userName, initialBalance);
      await open('/m/game', { language: 'en', session });
      const sessionResponse = page.waitForResponse((response) =>
        response.url().endsWith('/house/v1/session'),
      );
      await page.goto(gamePath(engine, category));
      const { value } = (await (await sessionResponse).json()) as {
        value: { slot: { kind: string } };
      };
      expect(value.slot.kind).toBe(kind);
      const play = new Play(page, 'en');
      await play.expectReady();

      let balance = initialBalance;
      let rounds = 0;
      let won = false;
      let lost = false;
      while (rounds < 50 && !(won && lost)) {
        const { stake, win } = await play.spin();
        rounds += 1;
        if (win > stake) won = true;
        if (win < stake) lost = true;
        balance += win - stake;
        await expect.poll(() => play.shownBalance()).toBe(balance);
      }
      expect([won, lost]).toEqual([true, true]);
      await expect.poll(() => play.shownNet()).toBe(balance - initialBalance);

      await page.reload();
      await play.expectReady();
      await expect.poll(() => play.shownBalance()).toBe(balance);

      // The result of an interrupted round comes from the server, and nothing is staked again.
      balance = await play.spinAndLoseResponse();
      rounds += 1;
      await expect.poll(() => play.shownBalance()).toBe(balance);
      await expect.poll(() => play.shownNet()).toBe(balance - initialBalance);

      await page.goto('/m/gameRecord');
      const totals = page.getByLabel(play.text('Totals of this period'), { exact: true });
      await expect(totals).toContainText(`${rounds} round`);
      expect(digits(await totals.locator('bdi').first().innerText())).toBe(
        balance - initialBalance,
      );
    },
  );
}
