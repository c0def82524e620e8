import { App } from '../pages/app.ts';
import { Play, slotAddress } from '../pages/play.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

// The wins appear on the winner board.
test.use({ leavesWins: true });

const minute = 60_000;

class Limits extends App {
  card(name: string) {
    return this.main.getByRole('article', { name: this.text(name), exact: true });
  }

  async type(kind: string, button: string, amount: string): Promise<void> {
    await this.card(kind)
      .getByRole('button', { name: this.text(button), exact: true })
      .tap();
    const sheet = this.page.getByRole('dialog');
    await sheet.getByRole('textbox').fill(amount);
    await sheet.getByRole('button', { name: this.text('Save'), exact: true }).tap();
    await expect(sheet).toHaveCount(0);
  }
}

for (const language of ['vi', 'en'] as const) {
  test(
    `PP-05 PP-06 journey: a lower limit applies immediately, and a higher limit after a day and a confirmation: ${language}`,
    tagOf(language),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      const limits = new Limits(page, language);
      const losses = limits.card('Losses');
      await open('/m/member/limits', { language, session });
      await limits.type('Losses', 'Set a limit', '500000');
      await expect(losses).toContainText(/500[.,]000/);
      await limits.type('Losses', 'Change', '200000');
      await expect(losses).toContainText(/200[.,]000/);
      await expect(losses.getByRole('button', { name: limits.text('Withdraw it') })).toHaveCount(0);

      await limits.type('Losses', 'Change', '900000');
      await expect(losses).toContainText(/900[.,]000/);
      await expect(losses.locator('bdi').filter({ hasText: /200[.,]000/ })).toBeVisible();
      const confirm = losses.getByRole('button', { name: limits.text('Confirm'), exact: true });
      await expect(confirm).toHaveCount(0);

      await server.updateRow(
        'UPDATE play_limit SET asked_at = asked_at - ? WHERE member_id = (SELECT id FROM member WHERE account = ?)',
        [24 * 60 * minute, session.userName],
      );
      await page.reload();
      await confirm.tap();
      await expect(confirm).toHaveCount(0);
      await expect(losses.locator('bdi').filter({ hasText: /900[.,]000/ })).toBeVisible();
      await expect(losses).not.toContainText(/200[.,]000/);
    },
  );
}

test('PP-04 journey: at the chosen interval play pauses with a summary, and continues after a confirmation', async ({
  page,
  open,
  server,
  request,
}) => {
  const session = await newMember(server, request);
  await server.adjust(session.userName, 1_000_000);
  await open('/m/member/limits', { language: 'en', session });
  const limits = new Limits(page, 'en');
  const reminder = limits.card('Reality check');
  const saveResponse = page.waitForResponse((response) =>
    response.url().endsWith('/limits/realityCheck'),
  );
  await reminder.getByText('15 min', { exact: true }).tap();
  expect((await saveResponse).ok()).toBe(true);
  await expect(reminder.getByRole('radio', { name: '15 min' })).toBeChecked();
  await page.goto(slotAddress);
  const play = new Play(page, 'en');
  await play.expectReady();
  await play.spin();

  // The interval of 15 minutes, plus the time to end a round.
  await server.updateRow(
    'UPDATE limit_guard SET playing_since = playing_since - ?1, checked_at = checked_at - ?1 WHERE member_id = (SELECT id FROM member WHERE account = ?2)',
    [20 * minute, session.userName],
  );
  await page.reload();
  const check = page.getByRole('alertdialog');
  await expect(check).toContainText(/You began to play 2\d minutes ago/);
  await expect(page.locator('main iframe')).toHaveAttribute('inert');
  await page.keyboard.press('Escape');
  await expect(check).toBeVisible();
  await check.getByRole('button', { name: 'Play on', exact: true }).tap();
  await expect(check).toHaveCount(0);
  await play.spin();
});
