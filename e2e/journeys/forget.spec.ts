import { Forget } from '../pages/forget.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { isAlive, newAccount } from '../support/account.ts';
import { logIn, password } from '../support/member.ts';
import { codeFor } from '../support/outbox.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

const newPassword = 'Carousel5678';

test.beforeAll(async ({ server }) => {
  await server.switch('module', 'CAPTCHA3', false);
  // Failed logins are part of these tests, so the captcha must not follow them.
  await server.set('login.captcha_after', 10);
});
test.afterAll(async ({ server }) => {
  await server.switch('module', 'CAPTCHA3', true);
  await server.set('login.captcha_after', 1);
});

const variants = [
  { channel: 'sms', language: 'vi' },
  { channel: 'sms', language: 'en' },
  { channel: 'sms', language: 'ur' },
  { channel: 'email', language: 'vi' },
  { channel: 'email', language: 'en' },
] as const;

for (const { channel, language } of variants) {
  test(
    `RT-04 a forgotten password is reset by ${channel}, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const account = await newAccount(server, request);
      const elsewhere = await logIn(request, account.name);
      await open('/m/login', { language });
      const login = new Login(page, language);
      const forget = new Forget(page, language);
      await page.locator('main a[href="/m/forget"]').tap();
      await expect(forget.title).toHaveText(forget.text('Forgot password'));

      const to = channel === 'sms' ? account.number : account.email;
      if (channel === 'email') {
        await forget.channel('E-mail').check({ force: true });
        await forget.write({ email: account.email });
      } else {
        await forget.write({ mobileNum: `0${account.number}` });
      }
      await forget.button('Send code').tap();
      await expect(forget.field('verificationCode')).toBeFocused();
      await expect(forget.main.getByText(to)).toBeVisible();
      await expect(forget.wait).toBeDisabled();

      await forget.write({ verificationCode: '000000' });
      await forget.button('Continue').tap();
      await expect(page.getByText(forget.text('errors.verification.incorrect'))).toBeVisible();
      await forget.write({ verificationCode: await codeFor(server.origin, to) });
      await forget.button('Continue').tap();

      await forget.write({ newPassword, confirmNewPassword: 'another1' });
      await forget.button('Set the new password').tap();
      await expect(page.getByText(forget.text('errors.member.password_confirm'))).toBeVisible();
      await forget.write({ confirmNewPassword: newPassword });
      const sent = page.waitForRequest('**/wps/member/password/reset');
      await login.expectMessage('Your new password is set, log in with it', () =>
        forget.button('Set the new password').tap(),
      );
      // CA-18: the request contains no plain text.
      expect((await sent).headers()['encryption']).toBe('jwe');
      expect((await sent).postData()).not.toContain(newPassword);

      await expect(page).toHaveURL('/m/login');
      await expect(login.username).toHaveValue(account.name);
      await expect(login.password).toHaveValue('');
      expect(await isAlive(request, elsewhere.token)).toBe(false);

      await login.logIn(account.name, password);
      await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
      await login.logIn(account.name, newPassword);
      await expect(login.logoutButton).toBeVisible();
    },
  );
}

test(
  'the reset does not reveal whether a number belongs to an account',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    await open('/m/forget', { language: 'en' });
    const forget = new Forget(page, 'en');
    const number = `96${String(Date.now()).slice(-7)}`;
    await forget.write({ mobileNum: number });
    await forget.button('Send code').tap();
    await expect(forget.main.getByText(number)).toBeVisible();
    await forget.write({ verificationCode: '123456' });
    await forget.button('Continue').tap();
    await expect(page.getByText(forget.text('errors.verification.incorrect'))).toBeVisible();
    const outbox = (await (await request.get('/wps/dev/outbox')).json()) as {
      value: { to: string }[];
    };
    expect(outbox.value.filter(({ to }) => to.endsWith(number))).toEqual([]);
  },
);

test(
  'ST-03 the countdown survives a route change, and back goes step by step, then home',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/forget');
    const forget = new Forget(page);
    const number = `95${String(Date.now()).slice(-7)}`;
    await forget.write({ mobileNum: number });
    await forget.button('Send code').tap();
    await expect(forget.wait).toBeDisabled();
    await forget.button('Back').tap();
    await expect(forget.field('mobileNum')).toHaveValue(number);
    await forget.button('Back').tap();
    await expect(page).toHaveURL('/m/home');

    const menu = new Menu(page);
    await menu.open();
    await menu.panel.locator('a[href="/m/forget"]').tap();
    await expect(forget.field('mobileNum')).toHaveValue(number);
    await forget.button('Continue').tap();
    await expect(forget.wait).toBeDisabled();
    // Phones discard background pages, so a reload must continue at the same step.
    await page.reload();
    await expect(forget.wait).toBeDisabled();
    await expect(forget.main).toContainText(number);
  },
);

test(
  'a wrong captcha shows an error and another picture',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.switch('module', 'CAPTCHA3', true);
    try {
      await open('/m/forget', { language: 'en' });
      const forget = new Forget(page, 'en');
      await forget.write({ mobileNum: '912345678' });
      await forget.button('Send code').tap();
      await expect(page.getByText(forget.text('errors.captcha.required'))).toBeVisible();
      await forget.write({ captcha: '000000' });
      await forget.button('Send code').tap();
      await expect(page.getByText(forget.text('errors.captcha.incorrect'))).toBeVisible();
      await expect(forget.field('captcha')).toHaveValue('');
      await expect(forget.field('mobileNum')).toHaveValue('912345678');
    } finally {
      await server.switch('module', 'CAPTCHA3', false);
    }
  },
);
