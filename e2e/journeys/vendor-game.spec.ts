import type { APIRequestContext, FrameLocator, Page } from '@playwright/test';

import { Play, digits } from '../pages/play.ts';
import { newMember } from '../support/member.ts';
import type { Server } from '../support/server.ts';
import { expect, test as base, type Session } from '../support/test.ts';
import { Vendor, prize, stake } from '../support/vendor.ts';

const initialBalance = 1_000_000;

const test = base.extend<{ vendor: Vendor }>({
  vendor: async ({}, use) => {
    const vendor = await Vendor.start();
    await use(vendor);
    await vendor.stop();
  },
});

// The wins appear on the winner board.
test.use({ leavesWins: true });

/** Creates the vendor and a member with money. Returns the path of the game and the session. */
async function prepare(
  { vendor, server, request }: { vendor: Vendor; server: Server; request: APIRequestContext },
  name: string,
  mode: 'frame' | 'window',
): Promise<{ path: string; session: Session }> {
  // A retry may find the vendor of the first attempt.
  const code = `${name}${new URL(vendor.origin).port}`;
  vendor.join(server.origin, await server.createVendor(code, vendor.launchUrl, mode), code);
  const session = await newMember(server, request);
  await server.adjust(session.userName, initialBalance);
  const path = `/m/launchGame?vendor=${code}&gameCategory=RNG&gameId=${code}&supportPlay=true`;
  return { path, session };
}

/** Plays a round in the vendor's page, which shows the wallet's balance. */
async function playRound(game: FrameLocator | Page, button: 'Win' | 'Lose', balance: number) {
  await game.getByRole('button', { name: button, exact: true }).tap();
  await expect(game.locator('output')).toHaveText(String(balance));
}

/** Expects exactly these rounds in the record, newest first: net, stake and win. */
async function expectRecord(play: Play, rounds: number[][]): Promise<void> {
  await play.page.goto('/m/gameRecord');
  const totals = play.page.getByLabel(play.text('Totals of this period'), { exact: true });
  await expect(totals).toContainText(`${rounds.length} rounds`);
  const rows = play.main.getByRole('listitem').filter({ has: play.page.locator('bdi') });
  await expect(rows).toHaveCount(rounds.length);
  const shownRounds = await Promise.all(
    (await rows.all()).map(async (row) => {
      const amounts = await row.locator('bdi').filter({ hasText: '₫' }).allInnerTexts();
      return amounts.map((text) => digits(text));
    }),
  );
  expect(shownRounds).toEqual(rounds);
}

test('GL-03 GL-07 PP-01 SE-10 journey: an external vendor that was down and then slow is played in its frame, and its balance, the app’s and the record agree', async ({
  page,
  open,
  server,
  request,
  vendor,
}) => {
  const { path, session } = await prepare({ vendor, server, request }, 'OUTFRAME', 'frame');
  const play = new Play(page, 'en');
  const startingText = page.getByText(play.text('Starting the game…'), { exact: true });
  await page.clock.install();
  vendor.isDown = true;
  await open(path, { language: 'en', session });
  await expect(page.locator('main iframe')).toBeAttached();
  await expect(startingText).toBeVisible();
  await page.clock.fastForward(31_000);
  const failure = page.getByRole('alert').filter({ hasText: play.text('The game did not start') });
  await expect(failure).toBeVisible();
  await expect(
    failure.getByRole('button', { name: play.text('Leave the game'), exact: true }),
  ).toBeVisible();

  vendor.isDown = false;
  const resumeGames = vendor.pauseGames();
  await failure.getByRole('button', { name: play.text('Try again'), exact: true }).tap();
  await expect(play.frame.locator('output')).toHaveText('Please wait');
  await expect(failure).toHaveCount(0);
  await expect(startingText).toBeVisible();
  resumeGames();
  await expect(play.frame.locator('output')).toHaveText(String(initialBalance));
  await expect(startingText).toHaveCount(0);
  await expect(page.locator('main iframe')).toHaveAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-forms',
  );

  const won = initialBalance + prize - stake;
  await playRound(play.frame, 'Win', won);
  await expect.poll(() => play.shownBalance()).toBe(won);
  await expect.poll(() => play.shownNet()).toBe(won - initialBalance);
  await playRound(play.frame, 'Lose', won - stake);
  await expect.poll(() => play.shownBalance()).toBe(won - stake);
  await expect.poll(() => play.shownNet()).toBe(won - stake - initialBalance);
  await expectRecord(play, [
    [-stake, stake, 0],
    [prize - stake, stake, prize],
  ]);
});

test('GL-08 GL-07 journey: an external vendor’s game opens in a window, a blocked popup shows a message, and its balance, the app’s and the record agree', async ({
  page,
  open,
  server,
  request,
  vendor,
}) => {
  const { path, session } = await prepare({ vendor, server, request }, 'OUTWINDOW', 'window');
  await page.addInitScript(() => Object.assign(window, { allowed: window.open, open: () => null }));
  const play = new Play(page, 'en');
  await play.expectMessage('popup_blocked', () => open(path, { language: 'en', session }));
  await page.evaluate(() => Object.assign(window, { open: Reflect.get(window, 'allowed') }));

  const gamePage = page.context().waitForEvent('page');
  await page.getByRole('button', { name: play.text('Open the game'), exact: true }).tap();
  const game = await gamePage;
  await expect(game.locator('output')).toHaveText(String(initialBalance));
  expect(await game.evaluate(() => window.opener as unknown)).toBeNull();
  const won = initialBalance + prize - stake;
  await playRound(game, 'Win', won);
  await playRound(game, 'Lose', won - stake);
  await page.bringToFront();
  await expect.poll(() => play.shownNet()).toBe(won - stake - initialBalance);
  await game.close();
  await page.goto('/m/home');
  await expect.poll(() => play.balanceValue()).toBe(won - stake);
  await expectRecord(play, [
    [-stake, stake, 0],
    [prize - stake, stake, prize],
  ]);
});
