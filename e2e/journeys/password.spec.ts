import { ChangePassword } from '../pages/change-password.ts';
import { Login } from '../pages/login.ts';
import { isAlive } from '../support/account.ts';
import { newMember, password } from '../support/member.ts';
import { recordMessages } from '../support/messages.ts';
import { closePopups, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

const newPassword = 'Carousel5678';

test.beforeAll(({ server }) => server.set('login.captcha_after', 10));
test.afterAll(({ server }) => server.set('login.captcha_after', 1));

for (const language of ['vi', 'en', 'pt'] as const) {
  test(
    `RT-05 OS-01 ST-05 a member changes the password, in ${language}`,
    tagOf(language),
    async ({ page, open, server, request }) => {
      const otherSession = await newMember(server, request);
      const name = otherSession.userName;
      await open('/m/changePsw', { language });
      const login = new Login(page, language);
      const change = new ChangePassword(page, language);
      await expect(page).toHaveURL(/^[^?]*\/m\/login\?return=/);
      await login.logIn(name, password);

      // The page knows the password it logged in with, until a reload.
      await expect(change.title).toHaveText(change.text('Change password'));
      await expect(change.field('username')).toHaveValue(name);
      await expect(change.field('username')).not.toBeEditable();
      await expect(change.field('newPassword')).toBeVisible();
      await expect(change.field('oldPassword')).toHaveCount(0);
      if (language === 'en') {
        await page.reload();
        await change.field('oldPassword').fill('Wrong1234');
        await change.write(newPassword);
        await change.submit.tap();
        await expect(page.getByText(change.text('errors.member.password_wrong'))).toBeVisible();
        await expect(change.field('newPassword')).toHaveValue(newPassword);
        await change.field('oldPassword').fill(password);
      }
      await change.write(password);
      await change.submit.tap();
      await expect(page.getByText(change.text('errors.member.password_same'))).toBeVisible();
      await change.write(newPassword, `${newPassword}9`);
      await change.submit.tap();
      await expect(page.getByText(change.text('errors.member.password_confirm'))).toBeVisible();
      await change.write(newPassword, '');
      await change.submit.tap();
      await expect(page.getByText(change.text('errors.member.password_required'))).toBeVisible();
      await change.write(newPassword);
      await change.expectMessage('Change saved', () => change.submit.tap());
      await expect(page).toHaveURL('/m/home');
      await expect(change.logoutButton).toBeVisible();
      expect(await isAlive(request, otherSession.token)).toBe(false);

      await change.logOut();
      await page.goto('/m/login');
      await login.logIn(name, password);
      await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
      await login.logIn(name, newPassword);
      await expect(login.logoutButton).toBeVisible();
    },
  );
}

for (const language of ['vi', 'en'] as const) {
  test(
    `RT-05 the first login opens the change of the password, in ${language}`,
    tagOf(language),
    async ({ page, open, server }) => {
      const name = `f${Date.now().toString(36)}${language}`;
      const temporaryPassword = await server.createMember(name);
      await open('/m/login', { language });
      const login = new Login(page, language);
      const change = new ChangePassword(page, language);
      await login.logIn(name, temporaryPassword);
      await expect(page).toHaveURL('/m/changePsw');
      await expect(change.title).toHaveText(change.text('First password'));

      // The change is required: another screen leads back to it.
      await page.goto('/m/gameRecord');
      await expect(page).toHaveURL('/m/changePsw');
      await expect(change.title).toHaveText(change.text('First password'));
      await change.field('oldPassword').fill(temporaryPassword);
      await change.write(newPassword);
      await change.submit.tap();
      await expect(page).toHaveURL('/m/home');
      expect(await page.evaluate(() => localStorage.getItem('firstTimeLogin'))).toBe('false');

      await change.logOut();
      await page.goto('/m/login');
      await login.logIn(name, temporaryPassword);
      await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
      await login.logIn(name, newPassword);
      await expect(login.logoutButton).toBeVisible();
      await expect(page).toHaveURL('/m/home');
    },
  );
}

test(
  'changing the password logs the member out in another browser, with a message',
  { tag: '@soak' },
  async ({ page, open, browser, server, request }) => {
    const { userName: name } = await newMember(server, request);
    const context = await browser.newContext({ hasTouch: true, isMobile: true });
    await context.addInitScript(closePopups);
    await recordMessages(context);
    const otherPage = await context.newPage();
    await otherPage.goto(`${server.origin}/m/login`);
    const otherLogin = new Login(otherPage);
    await otherLogin.logIn(name, password);
    await expect(otherLogin.logoutButton).toBeVisible();

    await open('/m/changePsw');
    await new Login(page).logIn(name, password);
    const change = new ChangePassword(page);
    await change.write(newPassword);
    await otherLogin.expectMessage('Logged out, please log in again', () => change.submit.tap());
    await expect(page).toHaveURL('/m/home');
    await expect(otherLogin.loginLink).toBeVisible();
    await context.close();
  },
);
