import type { Page } from '@playwright/test';

import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { demo, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

test(
  'EN-01 the session is stored in the browser under its five names',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/login');
    await new Login(page).logIn(demo.name, demo.password);
    await expect(new App(page).logoutButton).toBeVisible();
    const stored = await page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));
    expect(stored['token']).toMatch(/^[\w-]{22,}$/);
    expect(stored['type']).toBe('0');
    expect(stored['userName']).toBe(demo.name);
    expect(stored['merchantCode']).toBe('fairground');
    expect(stored['firstTimeLogin']).toBe('false');
    await page.reload();
    await expect(new App(page).logoutButton).toBeVisible();
  },
);

test('ST-01 logout asks for confirmation, notifies the server, clears everything and goes home', async ({
  page,
  open,
  login,
  request,
}) => {
  const session = await login();
  await open('/m/home', { session });
  const app = new App(page);
  await page.evaluate(() => {
    sessionStorage.setItem('trialName', 'guest');
    sessionStorage.setItem('anything', 'else');
    localStorage.setItem('autoLogin', '1');
  });
  await expect(app.balance).toBeVisible();

  await test.step('cancelling changes nothing', async () => {
    await app.logoutButton.tap();
    await app.question.getByRole('button', { name: app.text('Stay') }).tap();
    await expect(app.question).toHaveCount(0);
    await expect(app.balance).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(session.token);
  });

  const logoutRequest = page.waitForRequest((candidate) => candidate.method() === 'DELETE');
  await app.logOut();
  const sent = await logoutRequest;
  expect(new URL(sent.url()).pathname).toBe('/wps/session/logout');
  expect(sent.headers()['authorization']).toBe(session.token);

  await expect(app.loginLink).toBeVisible();
  await expect(page).toHaveURL('/m/home');
  const remaining = await page.evaluate(() => ({
    local: Object.fromEntries(Object.entries(localStorage)),
    session: Object.fromEntries(Object.entries(sessionStorage)),
  }));
  expect(remaining.session).toEqual({});
  for (const key of ['token', 'type', 'userName', 'firstTimeLogin'])
    expect(remaining.local).not.toHaveProperty(key);
  expect(remaining.local['autoLogin']).toBe('0');
  await expect(app.balance).toHaveCount(0);
  const response = await request.get('/wps/member/info', {
    headers: { Authorization: session.token },
  });
  expect(response.status()).toBe(401);
});

test(
  'logging out from a nested screen goes home too',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    await open('/m/member/vip', { session: await login() });
    const app = new App(page);
    await app.header.getByRole('button', { name: app.text('Menu'), exact: true }).tap();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: app.text('Log out') })
      .tap();
    await app.question.getByRole('button', { name: app.text('Log out'), exact: true }).tap();
    await expect(page).toHaveURL('/m/home');
    await expect(app.loginLink).toBeVisible();
  },
);

for (const language of ['vi', 'en'] as const) {
  test(
    `ST-08 an ended session shows a message on any screen, and the login returns to it, in ${language}`,
    tagOf(language),
    async ({ page, open, login, request }) => {
      const session = await login();
      await open('/m/member/vip', { session, language });
      const app = new App(page, language);
      await expect(app.title).toHaveText(app.text('VIP'));
      await app.expectMessage('Logged out, please log in again', () =>
        request.delete('/wps/session/logout', { headers: { Authorization: session.token } }),
      );
      await expect(page).toHaveURL('/m/login?return=%2Fm%2Fmember%2Fvip');
      await new Login(page, language).logIn(demo.name, demo.password);
      await expect(page).toHaveURL('/m/member/vip');

      await test.step('a token unknown to the server shows a message at the next request', async () => {
        await page.evaluate(() => localStorage.setItem('token', 'x'.repeat(43)));
        await app.expectMessage('Logged out, please log in again', () =>
          page.goto('/m/member/transactions?page=2'),
        );
        await expect(page).toHaveURL('/m/login?return=%2Fm%2Fmember%2Ftransactions%3Fpage%3D2');
        await new Login(page, language).logIn(demo.name, demo.password);
        await expect(page).toHaveURL('/m/member/transactions?page=2');
      });
    },
  );
}

test(
  'an unknown token is removed at the first response, and a public screen stays open',
  { tag: '@soak' },
  async ({ page, open }) => {
    const session = { token: 'x'.repeat(43), userName: demo.name, type: 0, firstTimeLogin: false };
    const app = new App(page);
    await app.expectMessage('Logged out, please log in again', () => open('/m/home', { session }));
    await expect(app.loginLink).toBeVisible();
    await expect(page).toHaveURL('/m/home');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  },
);

test('two tabs share one session', async ({ page, open, context }) => {
  await open('/m/home');
  const other = await context.newPage();
  await other.goto('/m/home');
  await expect(new App(other).loginLink).toBeVisible();

  await new App(page).loginLink.tap();
  await new Login(page).logIn(demo.name, demo.password);
  await expect(new App(page).balance).toBeVisible();
  await expect(new App(other).balance).toBeVisible();

  await new App(other).logOut();
  await expect(new App(other).loginLink).toBeVisible();
  // This tab learns of the logout from the other tab or from the server.
  await expect(new App(page).balance).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await page.goto('/m/home');
  await expect(new App(page).loginLink).toBeVisible();
});

async function expectVisitorHome(page: Page): Promise<void> {
  const home = new Home(page);
  await expect(home.loginLink).toBeVisible();
  await expect(home.banners).toBeVisible();
  await expect(home.notices).toBeVisible();
}

test.describe('without a session, home shows the content for visitors immediately', () => {
  test(
    'after a logout, with the focus on the heading',
    { tag: '@soak' },
    async ({ page, open, login }) => {
      await open('/m/home', { session: await login() });
      const app = new App(page);
      await expect(app.balance).toBeVisible();
      await app.expectMessage('Logged out', () => app.logOut());
      await expectVisitorHome(page);
      await expect(app.title).toBeFocused();
    },
  );

  test(
    'after the server ended the session',
    { tag: '@soak' },
    async ({ page, open, login, request }) => {
      const session = await login();
      await open('/m/home', { session });
      await expect(new App(page).balance).toBeVisible();
      await request.delete('/wps/session/logout', { headers: { Authorization: session.token } });
      await expectVisitorHome(page);
    },
  );

  test('after a start with an invalid token', { tag: '@soak' }, async ({ page, open }) => {
    const invalid = { token: 'x'.repeat(43), userName: demo.name, type: 0, firstTimeLogin: false };
    await open('/m/home', { session: invalid });
    await expectVisitorHome(page);
  });

  test(
    'after a logout in another tab',
    { tag: '@soak' },
    async ({ page, open, login, context }) => {
      await open('/m/home', { session: await login() });
      await expect(new App(page).balance).toBeVisible();
      const other = await context.newPage();
      await other.goto('/m/home');
      await new App(other).logOut();
      await expectVisitorHome(page);
    },
  );
});

test('a logout without a network asks for confirmation, and reaches the server later', async ({
  page,
  open,
  login,
  request,
  context,
}) => {
  const session = await login();
  const dialogCode = page.waitForResponse(/LogoutQuestion-.*\.js/);
  await open('/m/home', { session });
  const app = new App(page);
  await expect(app.balance).toBeVisible();
  await dialogCode;
  await context.setOffline(true);
  await app.logOut();
  await expect(app.loginLink).toBeVisible();
  const fetchMemberInfo = () =>
    request.get('/wps/member/info', { headers: { Authorization: session.token } });
  expect((await fetchMemberInfo()).status()).toBe(200);
  await context.setOffline(false);
  await expect.poll(async () => (await fetchMemberInfo()).status()).toBe(401);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(1);
});

test(
  'the logout confirmation closes when the session ends',
  { tag: '@soak' },
  async ({ page, open, login, request }) => {
    const session = await login();
    await open('/m/home', { session });
    const app = new App(page);
    await expect(app.balance).toBeVisible();
    await app.logoutButton.tap();
    await expect(app.question).toBeVisible();
    await request.delete('/wps/session/logout', { headers: { Authorization: session.token } });
    await expect(app.question).toHaveCount(0);
    await expect(app.loginLink).toBeVisible();
  },
);

test('a double tap logs in once', async ({ page, open }) => {
  let calls = 0;
  await page.route('**/wps/session/login', async (route) => {
    calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await open('/m/login');
  const login = new Login(page);
  await login.username.fill(demo.name);
  await login.password.fill(demo.password);
  await login.submit.dblclick();
  await expect(new App(page).balance).toBeVisible();
  expect(calls).toBe(1);
});
