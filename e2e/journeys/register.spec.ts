import { Login } from '../pages/login.ts';
import { Register } from '../pages/register.ts';
import { newAccount } from '../support/account.ts';
import { Firebase, firebaseCode, project } from '../support/firebase.ts';
import { logIn } from '../support/member.ts';
import { codeFor } from '../support/outbox.ts';
import { solvePuzzle } from '../support/puzzle.ts';
import { Server } from '../support/server.ts';
import { demo, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

const password = { password: 'Ferris1234', confirmPassword: 'Ferris1234' };

const newName = () => `rider${Date.now().toString(36)}${Math.random().toString(36).slice(2, 4)}`;

test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

for (const language of ['vi', 'en', 'ur', 'pt'] as const) {
  test(
    `RT-03 a visitor registers with a username, in ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      await open(language === 'vi' ? '/m/register.html' : '/m/register', { language });
      const register = new Register(page, language);
      const username = newName().slice(0, 16);
      await register.write({ username: 'x', ...password });
      await expect(register.agreement).toBeChecked();
      await expect(register.age).not.toBeChecked();
      await register.submit.tap();
      await expect(page.getByText(register.text('errors.member.username_format'))).toBeVisible();
      await expect(register.field('username')).toBeFocused();
      await register.write({ username });
      await register.submit.tap();
      await expect(register.age).toBeFocused();
      expect(await register.join()).toBe(username);
      await expect(register.logoutButton).toBeVisible();
      await expect(page).toHaveURL('/m/home');
      expect(await page.evaluate(() => localStorage.getItem('userName'))).toBe(username);
    },
  );
}

test(
  'RT-03 registering instead of logging in leads to the same target, and going back does not return to the form',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/home', { language: 'en' });
    const register = new Register(page, 'en');
    await register.loginLink.tap();
    await expect(page).toHaveURL('/m/login');
    await page.goto('/m/login?return=%2Fm%2FgameRecord');
    await page
      .getByRole('main')
      .getByRole('link', { name: register.text('Register') })
      .tap();
    await expect(page).toHaveURL('/m/register?return=%2Fm%2FgameRecord');
    await page
      .getByRole('main')
      .getByRole('link', { name: register.text('Login') })
      .tap();
    await expect(page).toHaveURL('/m/login?return=%2Fm%2FgameRecord');
    await page
      .getByRole('main')
      .getByRole('link', { name: register.text('Register') })
      .tap();
    await register.write({ username: newName().slice(0, 16), ...password });
    await register.send();
    await expect(page).toHaveURL('/m/gameRecord');
    await page.goBack();
    await expect(page).toHaveURL('/m/home');
  },
);

for (const language of ['vi', 'en'] as const) {
  test(
    `RG-09 SMS part: a visitor registers with a mobile number and its code, in ${language}`,
    tagOf(language),
    async ({ page, open, server }) => {
      await open('/m/register', { language });
      const register = new Register(page, language);
      await register.tab('Mobile number').check({ force: true });
      const number = `98${String(Date.now()).slice(-7)}`;
      await expect(register.sendCode).toBeDisabled();
      await register.write({ mobileNum: `0${number}` });
      await register.sendCode.tap();
      await expect(register.sendCode).toHaveCount(0);
      const verificationCode = await codeFor(server.origin, number);
      await register.write({ verificationCode, ...password });
      await register.join();
      await expect(register.logoutButton).toBeVisible();
    },
  );
}

test('PP-07 journey: a new account with the e-mail address of an excluded member is held and cannot log in again', async ({
  page,
  open,
  playwright,
}) => {
  const server = await Server.start();
  const request = await playwright.request.newContext({ baseURL: server.origin });
  try {
    await server.set('register.captcha', false);
    await server.set('register.fields', { email: { enabled: true } });
    const { name, email } = await newAccount(server, request);
    const { token } = await logIn(request, name);
    const breakResponse = await request.post('/wps/member/limits/break', {
      headers: { Authorization: token },
      data: { period: '6M' },
    });
    expect(breakResponse.ok(), await breakResponse.text()).toBe(true);

    await open(`${server.origin}/m/register`);
    const register = new Register(page);
    const username = newName().slice(0, 16);
    await register.write({ username, email, ...password });
    await register.send();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('userName'))).toBe(username);
    const loginResponse = await request.post('/wps/session/login', {
      data: { username, password: password.password },
    });
    expect(await loginResponse.json()).toMatchObject({ errorCode: 'limits.held' });
  } finally {
    await request.dispose();
    await server.stop();
  }
});

test(
  'the slider opens before anything is sent, and a miss loads another picture',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.set('register.slider', true);
    try {
      await open('/m/register', { language: 'ur' });
      const register = new Register(page, 'ur');
      await register.write({ username: newName().slice(0, 16), ...password });
      await register.send();
      const picture = page.getByRole('dialog').locator('img').first();
      await expect(register.thumb).toBeVisible();
      const before = await picture.getAttribute('src');
      await register.thumb.focus();
      await page.keyboard.press('ArrowRight');
      await expect(register.thumb).toHaveAttribute('aria-valuenow', '4');
      await page.keyboard.press('Enter');
      await expect(page.getByText(register.text('errors.challenge.missed'))).toBeVisible();
      await expect(picture).not.toHaveAttribute('src', before ?? '');
    } finally {
      await server.set('register.slider', false);
    }
  },
);

test('RG-07 slider part: solving the puzzle registers the member', async ({
  page,
  open,
  server,
}) => {
  await server.set('register.slider', true);
  try {
    await open('/m/register');
    const register = new Register(page);
    await register.write({ username: newName().slice(0, 16), ...password });
    await register.send();
    await solvePuzzle(page);
    await expect(register.logoutButton).toBeVisible();
  } finally {
    await server.set('register.slider', false);
  }
});

test(
  'LG-06 solving the puzzle logs the member in',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    await server.set('login.slider', true);
    try {
      await open('/m/login');
      const login = new Login(page);
      await login.username.fill(demo.name);
      await login.password.fill(demo.password);
      await login.submit.tap();
      await solvePuzzle(page);
      await expect(login.logoutButton).toBeVisible();
    } finally {
      await server.set('login.slider', false);
    }
  },
);

for (const language of ['vi', 'en'] as const) {
  test(
    `RG-09 CA-20 LG-02 by Firebase: a verified number registers a member and logs in again, in ${language}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      const firebase = await Firebase.start();
      const server = await Server.start(() => [
        `--firebase-project=${project.id}`,
        `--firebase-api-key=${project.key}`,
        `--firebase-api-url=${firebase.origin}`,
        `--firebase-keys-url=${firebase.origin}/keys`,
        `--firebase-recaptcha-script=${firebase.origin}/recaptcha/api.js`,
        '--outgoing-allow=127.0.0.0/8',
      ]);
      try {
        await server.set('register.captcha', false);
        await server.set('register.mobile_verification', 'firebase');
        await server.switch('flag', 'MOBILEVERCODELOGIN3', true);
        await open(`${server.origin}/m/register`, { language });
        const register = new Register(page, language);
        await register.tab('Mobile number').check({ force: true });
        await register.write({ mobileNum: '0912345678' });
        await register.sendCode.tap();
        // ST-03: with Firebase the countdown lasts one minute.
        await expect(register.main.getByRole('button', { name: /0:[1-5]\d/ })).toBeDisabled();
        await register.write({ verificationCode: '000000', ...password });
        await register.send();
        await expect(page.getByText(register.text('errors.verification.incorrect'))).toBeVisible();
        await register.write({ verificationCode: firebaseCode });
        await register.send();
        await expect(register.logoutButton).toBeVisible();

        await page.evaluate(() => localStorage.removeItem('token'));
        await page.goto(`${server.origin}/m/login`);
        const login = new Login(page, language);
        await login.byNumber.check({ force: true });
        await login.number.fill('0912345678');
        await login.sendCode.tap();
        await expect(login.main.getByRole('button', { name: /0:[1-5]\d/ })).toBeDisabled();
        await login.code.fill(firebaseCode);
        const sent = page.waitForRequest('**/wps/session/login');
        await login.submit.tap();
        expect((await sent).postDataJSON()).toMatchObject({
          type: 'firebase',
          firebaseChannel: 'sms',
          firebaseMobileNo: '912345678',
          countryDialingCode: '84',
        });
        await expect(login.logoutButton).toBeVisible();
      } finally {
        await server.stop();
        await firebase.stop();
      }
    },
  );
}

test(
  'the typed values stay after reading the agreement',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/register');
    const register = new Register(page);
    await register.write({ username: 'minhanh92', ...password });
    await register.age.check({ force: true });
    await register.main.locator('a[href="/m/userAgreement"]').tap();
    await expect(page).toHaveURL('/m/userAgreement');
    await page.goBack();
    await expect(register.field('username')).toHaveValue('minhanh92');
    await expect(register.age).toBeChecked();
    await expect(register.field('password')).toHaveValue(password.password);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain(password.password);
  },
);
