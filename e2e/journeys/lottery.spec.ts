import { Lottery } from '../pages/lottery.ts';
import { expect, test } from '../support/test.ts';

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
