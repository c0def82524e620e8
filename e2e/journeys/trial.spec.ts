import { Login } from '../pages/login.ts';
import { digits, Play, slotAddress } from '../pages/play.ts';
import { Register } from '../pages/register.ts';
import { Trial } from '../pages/trial.ts';
import { demo, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

for (const language of ['vi', 'en', 'pt'] as const) {
  test(
    `RT-22 ST-02 PP-08 trial part: free play, from the login screen to a membership, in ${language}`,
    tagOf(language),
    async ({ page, open, server }) => {
      await open('/m/login', { language });
      const login = new Login(page, language);
      await login.trial.tap();
      const trial = new Trial(page, language);
      await expect(page).toHaveURL('/m/trail');
      await expect(trial.title).toHaveText(trial.text('Free trial'));
      await expect(trial.start).toBeDisabled();
      await trial.age.check({ force: true });

      await test.step('if free play is off, a message is shown and the screen stays', async () => {
        await server.switch('module', 'FREEPLAY3', false);
        try {
          await trial.start.tap();
          await expect(trial.failure).toContainText(
            trial.text('Free play is switched off at the moment.'),
          );
          await expect(page).toHaveURL('/m/trail');
        } finally {
          await server.switch('module', 'FREEPLAY3', true);
        }
      });

      await trial.start.tap();
      await expect(page).toHaveURL('/m/home');
      await expect(trial.logoutButton).toBeVisible();
      await expect(trial.playMoney).toBeVisible();

      await test.step('EN-02 EN-11 the name is stored for the tab, the type with the token', async () => {
        const stored = await page.evaluate(() => ({
          trialName: sessionStorage.getItem('trialName'),
          userName: localStorage.getItem('userName'),
          type: localStorage.getItem('type'),
        }));
        expect(stored.trialName).toBe(stored.userName);
        expect(stored.type).toBe('4');
      });

      await test.step('PP-12 the demo slot is played with play money, and its balance and record agree', async () => {
        await page.goto(slotAddress);
        const play = new Play(page, language);
        await play.expectReady();
        const before = await play.shownBalance('FUN');
        const { stake, win } = await play.spin();
        await expect.poll(() => play.shownBalance('FUN')).toBe(before - stake + win);
        await page.goto('/m/gameRecord');
        const rows = play.main.getByRole('listitem').locator('bdi').filter({ hasText: 'FUN' });
        await expect
          .poll(async () => digits((await rows.allInnerTexts())[0] ?? ''))
          .toBe(win - stake);
        await page.goto('/m/home');
        await expect(trial.playMoney).toBeVisible();
      });

      await test.step('RO-03 member functions are refused', async () => {
        await trial.expectMessage('Please login an actual account to use this function', () =>
          trial.bottomMenu.locator('a[href="/m/voucherCenter"]').tap(),
        );
        await expect(page).toHaveURL('/m/home');
      });

      await test.step('RO-10 a refusal leaves the lobby and a running game as they are', async () => {
        const refusal = 'Please login an actual account to use this function';
        await page.goto('/m/game');
        const deposit = trial.header.locator('a[href="/m/voucherCenter"]');
        await trial.expectMessage(refusal, () => deposit.tap());
        await expect(page).toHaveURL('/m/game');

        await page.goto(slotAddress);
        const play = new Play(page, language);
        await play.expectReady();
        const gameUrl = page.url();
        const game = await play.frame.locator('html').elementHandle();
        await page.getByRole('button', { name: trial.text('Game menu') }).tap();
        const limits = page.getByRole('button', { name: trial.text('Limits and breaks') });
        await trial.expectMessage(refusal, () => limits.tap());
        await expect(page).toHaveURL(gameUrl);
        await expect(limits).toBeVisible();
        // It is the same document, so the game was not loaded again.
        expect(await game.evaluate((root) => root.isConnected)).toBe(true);
      });

      await test.step('registering stays possible, and ends the trial', async () => {
        const token = await page.evaluate(() => localStorage.getItem('token'));
        await page.goto('/m/register');
        await expect(new Register(page, language).submit).toBeVisible();
        await page.goto('/m/login');
        await login.logIn(demo.name, demo.password);
        await expect(login.balance).toBeVisible();
        expect(await page.evaluate(() => sessionStorage.getItem('trialName'))).toBeNull();
        await expect
          .poll(async () => {
            const response = await fetch(`${server.origin}/wps/member/info`, {
              headers: { Authorization: token ?? '' },
            });
            return response.status;
          })
          .toBe(401);
      });
    },
  );
}
