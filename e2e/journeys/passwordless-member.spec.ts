// What members do who came by an account elsewhere and have no password.
import { Login } from '../pages/login.ts';
import { Register } from '../pages/register.ts';
import { Security } from '../pages/security.ts';
import { googleBy, Issuer } from '../support/issuer.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** Lets the newest login lie so long in the past that it proves nothing any more. */
const age = (server: Server) =>
  server.change(
    'UPDATE session SET created_at = created_at - ? WHERE id = (SELECT MAX(id) FROM session)',
    [11 * 60_000],
  );

/** The code in the newest message to a number, once there are that many. */
async function codeOf(server: Server, number: string, sent: number): Promise<string> {
  let texts: string[] = [];
  await expect.poll(async () => (texts = await server.messages(number)).length).toBe(sent);
  return /\d{6}/.exec(texts[0] ?? '')?.[0] ?? '';
}

for (const language of ['vi', 'en'] as const) {
  test(
    `a member without a password proves a change by logging in again, and the next by a code, in ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const issuer = await Issuer.start();
      const server = await Server.start(googleBy(issuer));
      const screen = `${server.origin}/m/member/security`;
      const number = '912345678';
      const login = new Login(page, language);
      const security = new Security(page, language);
      try {
        await server.switch('flag', 'GOOGLELOGIN3', true);
        await open(`${server.origin}/m/login`, { language });
        await login.externalLogin('Google').tap();
        await page.getByRole('link', { name: 'Allow' }).tap();
        const joining = new Register(page, language);
        await joining.agreement.check({ force: true });
        await joining.send();
        await expect(login.logoutButton).toBeVisible();
        const name = await page.evaluate(() => localStorage.getItem('userName'));

        await age(server);
        await page.goto(screen);
        await security.row('Mobile number').tap();
        await expect(security.field('mobileNum')).toHaveCount(0);

        await test.step('who refuses over there is told, and is where they were', async () => {
          await security.loginAgain('Google').tap();
          await login.told('errors.outside.failed', () =>
            page.getByRole('link', { name: 'Refuse' }).tap(),
          );
          await expect(page).toHaveURL(`${screen}?part=mobile`);
        });

        await security.loginAgain('Google').tap();
        await page.getByRole('link', { name: 'Allow' }).tap();
        await expect(page).toHaveURL(`${screen}?part=mobile`);
        await security.write({ mobileNum: `0${number}` });
        await security.askForCode();
        await security.write({ verificationCode: await codeOf(server, number, 1) });
        await expect(security.field('password')).toHaveCount(0);
        await security.save.tap();
        await expect(security.sheet).toBeHidden();
        await expect(security.row('Mobile number')).toContainText('678');
        expect(await page.evaluate(() => localStorage.getItem('userName'))).toBe(name);

        await test.step('from then on a code to the number is enough', async () => {
          await age(server);
          await page.goto(screen);
          await security.row('Payment password').tap();
          await security.write({ paymentPassword: '135790', confirmPaymentPassword: '135790' });
          await security.askForCode();
          await security.write({ proofCode: await codeOf(server, number, 2) });
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
