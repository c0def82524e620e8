import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { demo, expect, test } from '../support/test.ts';
import { languages, say } from '../support/text.ts';

const broken = [
  {
    name: 'an unknown code',
    status: 500,
    contentType: 'application/json',
    body: '{"success":false,"errorCode":"never.heard.of"}',
  },
  { name: 'a proxy page', status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' },
  { name: 'cut JSON', status: 200, contentType: 'application/json', body: '{"success":tr' },
] as const;

for (const { name, ...answer } of broken) {
  test(`ER-03 ${name}: 'System error, try again later', and what was typed stays`, async ({
    page,
    open,
  }) => {
    await page.route('**/wps/session/login', (route) => route.fulfill(answer));
    await open('/m/login');
    const login = new Login(page);
    await login.logIn('player99', 'Secret123');
    await expect(login.failure).toContainText(login.text('errors.system.error'));
    await expect(login.username).toHaveValue('player99');
    await expect(login.password).toHaveValue('Secret123');
    await expect(page).toHaveURL('/m/login');

    // And it works as soon as the server does.
    await page.unroute('**/wps/session/login');
    await login.username.fill(demo.name);
    await login.password.fill(demo.password);
    await login.submit.tap();
    await expect(new App(page).balance).toBeVisible();
  });
}

test('ER-03 in every language', async ({ page, open }) => {
  await page.route('**/wps/session/login', (route) => route.fulfill(broken[0]));
  await open('/m/login');
  for (const language of languages) {
    await page.evaluate((code) => localStorage.setItem('lang', code), language);
    await page.reload();
    const login = new Login(page, language);
    await login.logIn('player99', 'Secret123');
    await expect(login.failure).toContainText(say(language, 'errors.system.error'));
  }
});

test('a wrong password says so, in words of the app, and keeps what was typed', async ({
  page,
  open,
}) => {
  await open('/m/login');
  const login = new Login(page);
  await login.logIn('nobody99', 'Wrong1234');
  await expect(login.failure).toHaveText(login.text('errors.login.incorrect'));
  await expect(login.username).toHaveValue('nobody99');
  await expect(login.password).toHaveValue('Wrong1234');
});

test('empty fields are told under each field and nothing is sent', async ({ page, open }) => {
  let sent = 0;
  await page.route('**/wps/session/login', (route) => {
    sent += 1;
    return route.continue();
  });
  await open('/m/login');
  const login = new Login(page);
  await login.submit.tap();
  await expect(page.getByText(login.text('Enter username'))).toBeVisible();
  await expect(page.getByText(login.text('Enter password'))).toBeVisible();
  await expect(login.username).toBeFocused();
  expect(sent).toBe(0);
});

test('a list that failed is told and really asked for again', async ({ page, open }) => {
  let fail = true;
  await page.route('**/wps/relay/GCSGAME_hotGamesV2*', (route) =>
    fail ? route.abort() : route.continue(),
  );
  await open('/m/home');
  const home = new Home(page);
  const retry = home.hotGames.getByRole('button');
  await expect(retry).toBeVisible({ timeout: 20_000 });
  fail = false;
  await retry.tap();
  await expect(home.tiles).toHaveCount(21);
});

test('without a network the app says so, and goes on when it is back', async ({
  page,
  open,
  context,
}) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  await context.setOffline(true);
  await expect(app.offlineBar).toBeVisible();
  await context.setOffline(false);
  await expect(app.offlineBar).toHaveCount(0);
});

test('a login without a network says so and keeps what was typed', async ({
  page,
  open,
  context,
}) => {
  await open('/m/login');
  const login = new Login(page);
  await expect(login.submit).toBeVisible();
  await context.setOffline(true);
  await login.logIn('player99', 'Secret123');
  await expect(login.failure).toContainText(login.text('errors.network.offline'));
  await expect(login.username).toHaveValue('player99');
  await context.setOffline(false);
});

test('a login screen that cannot be had has a way back, and comes with the network', async ({
  page,
  open,
  context,
}) => {
  await open('/m/home');
  const login = new Login(page);
  await expect(login.loginLink).toBeVisible();
  await context.setOffline(true);
  await login.loginLink.tap();
  await expect(login.main.getByRole('button', { name: login.text('Back') })).toBeVisible();
  await context.setOffline(false);
  await expect(login.submit).toBeVisible();
});

test.describe('with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a page that was seen once opens without a network', async ({ page, open, context }) => {
    await open('/m/home');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      while (registration.active?.state !== 'activated')
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await context.setOffline(true);
    await page.reload();
    const app = new App(page);
    await expect(app.offlineBar).toBeVisible();
    await expect(app.bottomMenu).toBeVisible();
    await context.setOffline(false);
  });

  test('without a network the menu and the login open', async ({ page, open, context }) => {
    await open('/m/home');
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
        // It fetches all that it keeps first.
        timeout: 30_000,
      })
      .toBe('activated');
    await context.setOffline(true);
    const menu = new Menu(page);
    await menu.open();
    await menu.panel.getByRole('link', { name: menu.text('Login'), exact: true }).tap();
    await expect(new Login(page).submit).toBeVisible();
    await context.setOffline(false);
  });
});
