import type { APIRequestContext } from '@playwright/test';

import { digits } from '../pages/play.ts';
import { Table, tableAddress } from '../pages/table.ts';
import { newGuest, newMember } from '../support/member.ts';
import { tables } from '../support/tables.ts';
import { expect, test, type Session } from '../support/test.ts';

// The wins appear on the winner board.
test.use({ leavesWins: true });

const initialBalance = 5_000_000;

/** A tie, a triple or a zero decides nothing. This many in a row are practically impossible. */
const maxRounds = 6;

type Ticket = { status: 'open' | 'won' | 'lost' | 'refunded'; net: number };

/** Waits until all tickets of the record are settled. Returns them, newest first. */
async function settledTickets(request: APIRequestContext, { token }: Session, count: number) {
  let list: Ticket[] = [];
  await expect
    .poll(
      async () => {
        const headers = { Authorization: token };
        const response = await request.get('/wps/report/accountGameBetHistory', { headers });
        ({ list } = ((await response.json()) as { value: { list: Ticket[] } }).value);
        return list.filter(({ status }) => status !== 'open').length;
      },
      { timeout: 180_000 },
    )
    .toBe(count);
  return list;
}

type TableState = { now: number; round: { closesAt: number } | null; mine: { total: number }[] };

/** Reloads the page during the round and checks that the stakes are still there. Returns false if the round ended too soon. */
async function reloadAndCheck(table: Table, sides: readonly string[]): Promise<boolean> {
  const { page } = table;
  const tableResponse = page.waitForResponse((response) =>
    response.url().endsWith('/house/v1/table'),
  );
  await page.reload();
  const { value } = (await (await tableResponse).json()) as { value: TableState };
  await table.expectReady();
  const { now, round, mine } = value;
  if (!round || round.closesAt - now < 3_000) return false;
  expect(mine).toHaveLength(2);
  for (const side of sides) await expect(table.spot(side)).toHaveAttribute('data-mine', 'staked');
  return true;
}

for (const { engine, vendor, game, sides } of tables) {
  test(
    `GL-07 PP-03 PP-15 at ${engine} a ticket wins and a ticket loses, balance, net position and record agree, and a reload resumes the round`,
    { tag: '@soak' }, // tables use the real clock
    async ({ page, open, server, request }) => {
      test.setTimeout(900_000);
      const session = await newMember(server, request);
      await server.adjust(session.userName, initialBalance);
      await open('/m/game', { language: 'en', session });
      await page.goto(tableAddress(vendor, game));
      const table = new Table(page, 'en');
      await table.expectReady();
      await expect.poll(() => table.shownTableBalance()).toBe(initialBalance);

      const [first, second] = sides;
      let list: readonly Ticket[] = [];
      const outcomes = () => new Set(list.map(({ net }) => Math.sign(net)));
      let isResumed = false;
      while (
        list.length < 2 * maxRounds &&
        !(isResumed && outcomes().has(1) && outcomes().has(-1))
      ) {
        const before = await table.shownTableBalance();
        await table.waitForBetting(12);
        const staked = (await table.bet([first, first])) + (await table.bet([second]));
        await expect.poll(() => table.shownTableBalance()).toBe(before - staked);
        isResumed ||= await reloadAndCheck(table, sides);
        list = await settledTickets(request, session, list.length + 2);
        const net = list.reduce((sum, ticket) => sum + ticket.net, 0);
        await expect.poll(() => table.shownTableBalance()).toBe(initialBalance + net);
        await expect.poll(() => table.shownNet()).toBe(net);
      }
      expect([isResumed, outcomes().has(1), outcomes().has(-1)]).toEqual([true, true, true]);
      const net = list.reduce((sum, ticket) => sum + ticket.net, 0);
      await expect.poll(() => table.shownBalance()).toBe(initialBalance + net);

      await page.goto('/m/gameRecord');
      const totals = page.getByLabel(table.text('Totals of this period'), { exact: true });
      await expect(totals).toContainText(`${list.length} rounds`);
      expect(digits(await totals.locator('bdi').first().innerText())).toBe(net);
      const rows = page.locator('main a[href*="roundId="]');
      await expect(rows).toHaveCount(list.length);
      const shownAmounts: number[] = [];
      for (const row of await rows.all())
        shownAmounts.push(
          digits(await row.locator('bdi').filter({ hasText: '₫' }).first().innerText()),
        );
      expect(shownAmounts).toEqual(list.map((ticket) => ticket.net));
    },
  );
}

test(
  'PP-12 (trial table) a trial member opens a table and stakes play money',
  { tag: '@soak' }, // tables use the real clock
  async ({ page, open, request }) => {
    test.setTimeout(180_000);
    await open('/m/game', { language: 'en', session: await newGuest(request) });
    await page.goto(tableAddress('NOX', 'live-007'));
    const table = new Table(page, 'en');
    await table.expectReady();
    await table.waitForBetting(6);
    const before = await table.shownTableBalance();
    const staked = await table.bet(['dragon']);
    await expect.poll(() => table.shownTableBalance()).toBe(before - staked);
  },
);
