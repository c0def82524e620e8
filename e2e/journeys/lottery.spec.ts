import { Lottery } from '../pages/lottery.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

// The win appears on the winner board.
test.use({ leavesWins: true });

test('RT-20 GL-09 LB-14 the fast lottery’s part: a bet from the lobby appears in my bets and can be cancelled', async ({
  page,
  open,
  login,
}) => {
  // The first numero of a new server opens within a minute.
  test.setTimeout(300_000);
  const session = await login();
  const lottery = new Lottery(page, 'en');
  await open('/m/lottery', { session, language: 'en' });
  await lottery.main.getByRole('button', { name: 'Fast', exact: true }).tap();
  await lottery.card('1201').tap();
  await lottery.play.tap();
  await expect(page.locator('main iframe')).toBeVisible();
  await expect(lottery.bottomMenu).toHaveCount(0);

  await test.step('bet', async () => {
    // Betting is closed in the last seconds before a draw. The next draw opens automatically.
    await expect(lottery.button(/^11/)).toBeEnabled({ timeout: 120_000 });
    await lottery.button(/^11/).tap();
    await lottery.button('Add ticket').tap();
    await lottery.button('Open cart').tap();
    await expect(lottery.button('Place bet')).toBeEnabled({ timeout: 120_000 });
    await lottery.button('Place bet').tap();
    await expect(lottery.frame.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('my bets', async () => {
    await lottery.button('My bets').tap();
    await expect(lottery.button('Cancel open draws')).toBeVisible();
    await expect(lottery.frame.getByText('11', { exact: true }).first()).toBeVisible();
  });

  await test.step('cancel', async () => {
    await lottery.button('Cancel open draws').tap();
    await lottery.button('Cancel the order').tap();
    await expect(lottery.frame.getByText('Cancelled', { exact: true })).toBeVisible();
  });

  await test.step('close', async () => {
    await page.getByRole('button', { name: 'Leave the game' }).tap();
    await expect(page).toHaveURL('/m/game');
  });
});

test('RT-20 LB-14 the regional lottery’s part: a bet from the lobby appears in my bets', async ({
  page,
  open,
  login,
  request,
}) => {
  type Game = { gameId: string; type: string; closeTime: number };
  const games = (await (await request.get('/lgw/games')).json()) as Game[];
  // The regional game that is open for the longest time.
  const game = games
    .filter(({ type }) => type === 'regional')
    .toSorted((a, b) => b.closeTime - a.closeTime)[0]!;
  const session = await login();
  const lottery = new Lottery(page, 'en');
  await open('/m/lottery', { session, language: 'en' });
  await lottery.main.getByRole('button', { name: 'Three regions', exact: true }).tap();
  await lottery.card(game.gameId).tap();
  await lottery.play.tap();
  await expect(lottery.button(/^05$/)).toBeEnabled();
  await lottery.button(/^05$/).tap();
  await lottery.button('Add ticket').tap();
  await lottery.button('Open cart').tap();
  await lottery.button('Place bet').tap();
  await expect(lottery.frame.getByRole('dialog')).toHaveCount(0);
  await lottery.button('My bets').tap();
  await expect(lottery.button('Cancel open draws')).toBeVisible();
  await expect(lottery.frame.getByText('05', { exact: true }).first()).toBeVisible();
});

test('RT-20 PP-03 the fast lottery’s part: a bet from the lobby wins, and my bets and the betting record show it', async ({
  page,
  open,
  server,
  request,
}) => {
  const funds = 1_000_000;
  const session = await newMember(server, request);
  await server.adjust(session.userName, funds);
  const lottery = new Lottery(page, 'en');
  await open('/m/lottery', { session, language: 'en' });
  await lottery.main.getByRole('button', { name: 'Fast', exact: true }).tap();
  await lottery.card('1101').tap();
  await lottery.play.tap();

  await test.step('bet on both sides, so that one of them wins', async () => {
    await lottery.button(/^Total$/).tap();
    // Betting is closed in the last seconds before a draw. The next draw opens automatically.
    await expect(lottery.button(/^Big ?1\.94/)).toBeEnabled({ timeout: 90_000 });
    await lottery.button(/^Big ?1\.94/).tap();
    await lottery.button(/^Small ?1\.94/).tap();
    await lottery.button('Add ticket').tap();
    await lottery.button('Open cart').tap();
    await lottery.button('Place bet').tap();
    await expect(lottery.frame.getByRole('dialog')).toHaveCount(0);
  });

  type Round = { status: string; stake: number; win: number };
  const rounds = async (): Promise<Round[]> => {
    const headers = { Authorization: session.token };
    const response = await request.get('/wps/report/accountGameBetHistory', { headers });
    return ((await response.json()) as { value: { list: Round[] } }).value.list;
  };
  await expect.poll(async () => (await rounds()).map(({ status }) => status)).toEqual(['open']);

  await test.step('the draw', async () => {
    // The numero with the bet is drawn now instead of at the end of the minute.
    await server.updateRow(
      `UPDATE lottery_numero SET close_at = 1, draw_at = ? WHERE id = (
        SELECT r.numero_id FROM lottery_round r JOIN lottery_order o ON o.id = r.order_id
        JOIN member m ON m.id = o.member_id WHERE m.account = ?)`,
      [Date.now(), session.userName],
    );
    await expect.poll(async () => (await rounds())[0]?.win).toBeGreaterThan(0);
  });

  const [round] = await rounds();
  const { stake, win } = round!;
  expect(win).toBe((stake / 2) * 1.94);
  await lottery.button('My bets').tap();
  await expect(lottery.frame.getByText('Won', { exact: true }).last()).toBeVisible();

  await page.goto('/m/gameRecord');
  const row = page.locator('main li').filter({ hasText: '5D' });
  await expect(row).toHaveCount(1);
  const amount = new Intl.NumberFormat('en').format(win);
  await expect(row).toContainText(new RegExp(`Paid\\s*\\D*${amount}`));
});
