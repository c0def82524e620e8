// Members who joined with an external account and have no password.
import { Login } from '../pages/login.ts';
import { Register } from '../pages/register.ts';
import { Security } from '../pages/security.ts';
import { googleOptions, Issuer } from '../support/issuer.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** Makes the newest login too old to prove the identity. */
const ageLogin = (server: Server) =>
  server.updateRow(
    'UPDATE session SET created_at = created_at - ? WHERE id = (SELECT MAX(id) FROM session)',
    [11 * 60_000],
  );

/** Waits for this many messages to a number. Returns the code in the newest one. */
async function newestCode(server: Server, number: string, count: number): Promise<string> {
  let texts: string[] = [];
  await expect.poll(async () => (texts = await server.messages(number)).length).toBe(count);
  return /\d{6}/.exec(texts[0] ?? '')?.[0] ?? '';
}

for (const language of ['vi', 'en'] as const) {
  test(
    `a member without a password proves a change by logging in again, and the next change by a code, in ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const issuer = await Issuer.start();
      const server = await Server.start(googleOptions(issuer));
      const securityUrl = `${server.origin}/m/member/security`;
      const number = '912345678';
      const login = new Login(page, language);
      const security = new Security(page, language);
      try {
        await server.switch('flag', 'GOOGLELOGIN3', true);
        await open(`${server.origin}/m/login`, { language });
        await login.externalLogin('Google').tap();
        await page.getByRole('link', { name: 'Allow' }).tap();
        const register = new Register(page, language);
        await register.agree();
        await register.send();
        await expect(login.logoutButton).toBeVisible();
        const name = await page.evaluate(() => localStorage.getItem('userName'));

        await ageLogin(server);
        await page.goto(securityUrl);
        await security.row('Mobile number').tap();
        await expect(security.field('mobileNum')).toHaveCount(0);

        await test.step('refusing at the provider shows an error and returns to the form', async () => {
          await security.loginAgain('Google').tap();
          await login.expectMessage('errors.outside.failed', () =>
            page.getByRole('link', { name: 'Refuse' }).tap(),
          );
          await expect(page).toHaveURL(`${securityUrl}?part=mobile`);
        });

        await security.loginAgain('Google').tap();
        await page.getByRole('link', { name: 'Allow' }).tap();
        await expect(page).toHaveURL(`${securityUrl}?part=mobile`);
        await security.write({ mobileNum: `0${number}` });
        await security.requestCode();
        await security.write({ verificationCode: await newestCode(server, number, 1) });
        await expect(security.field('password')).toHaveCount(0);
        await security.save.tap();
        await expect(security.sheet).toBeHidden();
        await expect(security.row('Mobile number')).toContainText('678');
        expect(await page.evaluate(() => localStorage.getItem('userName'))).toBe(name);

        await test.step('after that, a code to the number is enough', async () => {
          await ageLogin(server);
          await page.goto(securityUrl);
          await security.row('Payment password').tap();
          await security.write({ paymentPassword: '135790', confirmPaymentPassword: '135790' });
          await security.requestCode();
          await security.write({ proofCode: await newestCode(server, number, 2) });
          await security.save.tap();
          await expect(security.sheet).toBeHidden();
          await expect(security.row('Payment password')).toContainText(security.text('Set'));
        });
      } finally {
        await server.stop();
        await issuer.stop();
      }
    },
  );
}
