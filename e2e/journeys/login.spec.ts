import type { App } from '../pages/app.ts';
import { Login } from '../pages/login.ts';
import { Register } from '../pages/register.ts';
import { app, Facebook } from '../support/facebook.ts';
import { googleOptions, Issuer } from '../support/issuer.ts';
import { codeFor } from '../support/outbox.ts';
import { Server } from '../support/server.ts';
import { inGate } from '../support/tag.ts';
import { agent, demo, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

const day = 24 * 60 * 60_000;

const storedItem = (page: App['page'], key: string) =>
  page.evaluate((name) => localStorage.getItem(name), key);

test('LG-05 the captcha is hidden until a failed login requires it, and each failure and each tap load another picture', async ({
  page,
  open,
}) => {
  await open('/m/login');
  const login = new Login(page);
  await expect(login.submit).toBeVisible();
  await expect(login.captcha).toHaveCount(0);

  await login.logIn('nobody77', 'Wrong1234');
  await expect(login.captcha).toBeFocused();
  await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
  const first = await pictureUrl(login);

  await login.picture.tap();
  await expect(login.picture).not.toHaveAttribute('src', first);
  const second = await pictureUrl(login);

  await login.submit.tap();
  await expect(page.getByText(login.text('errors.captcha.required'))).toBeVisible();
  await login.captcha.fill('000000');
  await login.submit.tap();
  await expect(page.getByText(login.text('errors.captcha.incorrect'))).toBeVisible();
  await expect(login.picture).not.toHaveAttribute('src', second);
  await expect(login.captcha).toHaveValue('');
  await expect(login.username).toHaveValue('nobody77');
});

test(
  'RO-06 only an agent can log in to the agent area',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/login?return=%2Fm%2Fmember%2Fagent');
    const login = new Login(page);
    await login.logIn(demo.name, demo.password);
    await expect(login.failure).toContainText(login.text('errors.login.not_agent'));
    await expect(page).toHaveURL(/\/m\/login/);
    await login.logIn(agent, demo.password);
    await expect(page).toHaveURL(/\/m\/member\/agent$/);
  },
);

async function pictureUrl(login: Login): Promise<string> {
  await expect
    .poll(() => login.picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  return (await login.picture.getAttribute('src')) ?? '';
}

for (const language of ['vi', 'en'] as const) {
  test(
    `RT-02 LG-01 LG-03 the login screen logs in with username and password, in ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      await open('/m/login?return=%2Fm%2Fmember%2Fvip', { language });
      const login = new Login(page, language);
      await expect(login.title).toHaveText(login.text('Welcome back'));
      await expect(login.rememberBox).not.toBeChecked();
      await expect(login.languagePicker).toBeVisible();
      await expect(login.trial).toHaveAttribute('href', '/m/trail');
      await expect(login.main.getByRole('link', { name: login.text('Register') })).toBeVisible();
      await expect(
        login.main.getByRole('link', { name: login.text('Forgot password?') }),
      ).toHaveAttribute('href', '/m/forget');
      await login.password.fill(demo.password);
      await login.main.getByRole('button', { name: login.text('Show password') }).tap();
      await expect(login.password).toHaveAttribute('type', 'text');
      await login.logIn(demo.name, demo.password);
      await expect(page).toHaveURL('/m/member/vip');
      expect(await storedItem(page, 'remPass')).toBeNull();
      expect(await storedItem(page, 'autoLogin')).toBe('0');
    },
  );

  test(
    `LG-07 EN-03 a remembered login restores form and session, in ${language}`,
    tagOf(language),
    async ({ page, open, context }) => {
      await open('/m/login', { language });
      const login = new Login(page, language);
      await login.rememberBox.check({ force: true });
      await login.logIn(demo.name, demo.password);
      await expect(login.logoutButton).toBeVisible();
      await expect.poll(() => storedItem(page, 'autoLogin')).toBe('1');
      const record = JSON.parse((await storedItem(page, 'remPass')) ?? '{}') as Record<
        string,
        string
      >;
      expect(record).toMatchObject({
        type: 'username',
        username: demo.name,
        countryDialingCode: '84',
      });
      expect(record['password']).not.toContain(demo.password);
      expect(await storedItem(page, 'secret')).toMatch(/^[\w-]{43}$/);

      await test.step('after a lost session the login screen logs in automatically', async () => {
        await page.evaluate(() => localStorage.removeItem('token'));
        await page.goto('/m/login?return=%2Fm%2Fmember%2Fvip');
        await expect(page).toHaveURL('/m/member/vip');
      });

      await test.step('after a logout the form is filled, but not sent', async () => {
        await page.goto('/m/home');
        await login.logOut();
        await expect(login.loginLink).toBeVisible();
        expect(await storedItem(page, 'autoLogin')).toBe('0');
        await login.loginLink.tap();
        await expect(login.password).toHaveValue(demo.password);
        await expect(login.username).toHaveValue(demo.name);
        await expect(login.rememberBox).toBeChecked();
        await expect(login.submit).toBeEnabled();
      });

      await test.step('a wrong password fails once, then the record is deleted', async () => {
        await page.evaluate(() => localStorage.setItem('autoLogin', '1'));
        let calls = 0;
        await context.route('**/wps/session/login', async (route) => {
          calls += 1;
          await route.fulfill({
            status: 401,
            contentType: 'application/json',
            body: '{"success":false,"errorCode":"login.incorrect"}',
          });
        });
        await page.reload();
        await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
        await expect(login.username).toHaveValue(demo.name);
        await expect(login.password).toHaveValue('');
        expect(await storedItem(page, 'remPass')).toBeNull();
        await page.reload();
        await expect(login.submit).toBeVisible();
        await expect(login.username).toHaveValue('');
        expect(calls).toBe(1);
      });
    },
  );
}

const clockError = { vi: 0, en: day, ur: -day };
const clockText = { vi: 'right', en: 'a day ahead', ur: 'a day behind' };

for (const language of ['vi', 'en', 'ur'] as const) {
  test(
    `LG-02 a number and its code log in, in ${language}, with a clock that is ${clockText[language]}`,
    inGate(language === 'ur'),
    async ({ page, open }) => {
      if (clockError[language])
        await page.clock.install({ time: Date.now() + clockError[language] });
      // The number of codes per network is limited, so each language uses a separate server.
      const server = await Server.start();
      try {
        const number = '912345678';
        await server.set('register.captcha', false);
        await server.set('login.captcha_after', 5);
        await register(server, number);
        await open(`${server.origin}/m/login`, { language });
        const login = new Login(page, language);
        await login.byNumber.check({ force: true });
        await expect(login.sendCode).toBeDisabled();
        await login.number.fill(`0${number}`);
        await login.sendCode.tap();
        const countdown = login.main.getByRole('button', { name: /[01]:[0-5]\d/ });
        await expect(countdown).toBeDisabled();

        await test.step('ST-03 the countdown continues on another screen', async () => {
          await login.main.getByRole('link', { name: login.text('Register') }).tap();
          await expect(new Register(page, language).submit).toBeVisible();
          // Login and registration replace each other in the history.
          await page
            .getByRole('main')
            .getByRole('link', { name: login.text('Login') })
            .tap();
          await expect(login.number).toHaveValue(`0${number}`);
          await expect(login.main.getByRole('button', { name: /[01]:[0-5]\d/ })).toBeDisabled();
        });

        await login.code.fill('000000');
        await login.submit.tap();
        await expect(page.getByText(login.text('errors.verification.incorrect'))).toBeVisible();
        await login.code.fill(await codeFor(server.origin, number));
        await login.submit.tap();
        await expect(login.logoutButton).toBeVisible();
      } finally {
        await server.stop();
      }
    },
  );

  if (language === 'ur') continue;

  test(
    `LG-04 an external account logs in, and registers a new member, in ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      const issuer = await Issuer.start();
      const server = await Server.start(googleOptions(issuer));
      try {
        await open(`${server.origin}/m/login`, { language });
        const login = new Login(page, language);
        await expect(login.trial).toBeVisible();
        await expect(login.externalLogin('Google')).toHaveCount(0);
        await server.switch('flag', 'GOOGLELOGIN3', true);
        await page.goto(`${server.origin}/m/login?return=%2Fm%2Fmember%2Fvip`);
        await expect(login.externalLogin('Facebook')).toHaveCount(0);

        await test.step('refusing at the provider shows an error and changes nothing', async () => {
          await login.externalLogin('Google').tap();
          await page.getByRole('link', { name: 'Refuse' }).tap();
          await expect(login.failure).toContainText(login.text('errors.outside.failed'));
          await expect(page).toHaveURL(`${server.origin}/m/login?return=%2Fm%2Fmember%2Fvip`);
        });

        await test.step('a new member must agree first', async () => {
          await login.externalLogin('Google').tap();
          await page.getByRole('link', { name: 'Allow' }).tap();
          const registration = new Register(page, language);
          await expect(page).toHaveURL(`${server.origin}/m/register?return=%2Fm%2Fmember%2Fvip`);
          await expect(registration.submit).toBeDisabled();
          await registration.agree();
          await registration.send();
          await expect(page).toHaveURL(`${server.origin}/m/member/vip`);
        });

        await test.step('after that, the external account is enough', async () => {
          const name = await storedItem(page, 'userName');
          await page.goto(`${server.origin}/m/home`);
          await login.logOut();
          await expect(login.loginLink).toBeVisible();
          // Popups are dismissed: they would cover home after the logout.
          await page.goto(`${server.origin}/m/login`);
          await login.externalLogin('Google').tap();
          await page.getByRole('link', { name: 'Allow' }).tap();
          await expect(login.logoutButton).toBeVisible();
          await expect(page).toHaveURL(`${server.origin}/m/home`);
          expect(await storedItem(page, 'userName')).toBe(name);
        });
      } finally {
        await server.stop();
        await issuer.stop();
      }
    },
  );

  test(
    `LG-04 by Facebook: an account that allows it logs in as the same member each time, in ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const graph = await Facebook.start();
      const server = await Server.start((origin) => [
        `--public-url=${origin}`,
        `--facebook-app-id=${app.id}`,
        `--facebook-app-secret=${app.secret}`,
        `--facebook-url=${graph.origin}`,
        '--outgoing-allow=127.0.0.0/8',
      ]);
      const login = new Login(page, language);
      const logInByFacebook = async (choice: 'Allow' | 'Refuse') => {
        await page.goto(`${server.origin}/m/login?return=%2Fm%2Fmember%2Fvip`);
        await login.externalLogin('Facebook').tap();
        await page.getByRole('link', { name: choice }).tap();
      };
      const join = async () => {
        const registration = new Register(page, language);
        await expect(page).toHaveURL(`${server.origin}/m/register?return=%2Fm%2Fmember%2Fvip`);
        await registration.agree();
        await registration.send();
        await expect(page).toHaveURL(`${server.origin}/m/member/vip`);
        return storedItem(page, 'userName');
      };
      try {
        await open(`${server.origin}/m/login`, { language });
        await expect(login.trial).toBeVisible();
        await expect(login.externalLogin('Facebook')).toHaveCount(0);
        await server.switch('flag', 'FACEBOOKLOGIN3', true);
        await logInByFacebook('Refuse');
        await expect(login.failure).toContainText(login.text('errors.outside.failed'));

        await logInByFacebook('Allow');
        const name = await join();
        await page.evaluate(() => localStorage.removeItem('token'));
        await logInByFacebook('Allow');
        await expect(page).toHaveURL(`${server.origin}/m/member/vip`);
        expect(await storedItem(page, 'userName')).toBe(name);

        await test.step('another person in the same browser is another member', async () => {
          await page.evaluate(() => localStorage.removeItem('token'));
          graph.person = '10150000000000002';
          await logInByFacebook('Allow');
          expect(await join()).not.toBe(name);
        });
      } finally {
        await server.stop();
        await graph.stop();
      }
    },
  );
}

async function register(server: Server, mobileNum: string): Promise<void> {
  const number = { mobileNum, countryDialingCode: '84' };
  const send = async (method: string, path: string, body: Record<string, unknown>) => {
    const response = await fetch(server.origin + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...number, ...body }),
    });
    expect(response.ok, await response.text()).toBe(true);
  };
  await send('POST', '/wps/verification/sms/noLogin', { purpose: 'register' });
  await send('PUT', '/wps/member/register/mobile', {
    verificationCode: await codeFor(server.origin, mobileNum),
    password: 'Ferris1234',
    confirmPassword: 'Ferris1234',
    agreement: true,
    ageConfirmed: true,
    normalRegister: true,
    type: 0,
  });
}
