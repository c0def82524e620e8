import { App } from '../pages/app.ts';
import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { setOffline } from '../support/network.ts';
import { inGate } from '../support/tag.ts';
import { tapIfThere } from '../support/tap.ts';
import { demo, expect, test } from '../support/test.ts';
import { languages, translate } from '../support/text.ts';

const failures = [
  {
    name: 'an unknown code',
    status: 500,
    contentType: 'application/json',
    body: '{"success":false,"errorCode":"never.heard.of"}',
  },
  { name: 'a proxy page', status: 502, contentType: 'text/html', body: '<html>Bad gateway</html>' },
  { name: 'cut JSON', status: 200, contentType: 'application/json', body: '{"success":tr' },
] as const;

for (const { name, ...failure } of failures) {
  test(
    `ER-03 ${name}: 'System error, try again later', and the typed values stay`,
    inGate(name === 'cut JSON'),
    async ({ page, open }) => {
      await page.route('**/wps/session/login', (route) => route.fulfill(failure));
      await open('/m/login');
      const login = new Login(page);
      await login.logIn('player99', 'Secret123');
      await expect(login.failure).toContainText(login.text('errors.system.error'));
      await expect(login.username).toHaveValue('player99');
      await expect(login.password).toHaveValue('Secret123');
      await expect(page).toHaveURL('/m/login');

      await page.unroute('**/wps/session/login');
      await login.username.fill(demo.name);
      await login.password.fill(demo.password);
      await login.submit.tap();
      await expect(new App(page).balance).toBeVisible();
    },
  );
}

test(
  'ER-03 the system error is shown in every language',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/wps/session/login', (route) => route.fulfill(failures[0]));
    await open('/m/login');
    for (const language of languages) {
      await page.evaluate((code) => localStorage.setItem('lang', code), language);
      await page.reload();
      const login = new Login(page, language);
      await login.logIn('player99', 'Secret123');
      await expect(login.failure).toContainText(translate(language, 'errors.system.error'));
    }
  },
);

test('a wrong password shows the app’s error and keeps the typed values', async ({
  page,
  open,
}) => {
  await open('/m/login');
  const login = new Login(page);
  await login.logIn('nobody99', 'Wrong1234');
  await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
  await expect(login.username).toHaveValue('nobody99');
  await expect(login.password).toHaveValue('Wrong1234');
});

test(
  'empty fields show an error under each field, and nothing is sent',
  { tag: '@soak' },
  async ({ page, open }) => {
    let loginRequests = 0;
    await page.route('**/wps/session/login', (route) => {
      loginRequests += 1;
      return route.continue();
    });
    await open('/m/login');
    const login = new Login(page);
    await login.submit.tap();
    await expect(page.getByText(login.text('errors.validation.required'))).toBeVisible();
    await expect(page.getByText(login.text('errors.member.password_required'))).toBeVisible();
    await expect(login.username).toBeFocused();
    expect(loginRequests).toBe(0);
  },
);

test(
  'a failed list shows an error and can be retried',
  { tag: '@soak' },
  async ({ page, open }) => {
    let fail = true;
    await page.route('**/wps/relay/GCSGAME_hotGamesV2*', (route) =>
      fail ? route.abort() : route.continue(),
    );
    await open('/m/home');
    const home = new Home(page);
    const retry = home.hotGames.getByRole('button', {
      name: home.text('Load failed, tap to retry'),
    });
    await expect(retry).toBeVisible();
    const retryRequest = page.waitForRequest('**/wps/relay/GCSGAME_hotGamesV2*');
    await retry.tap();
    await retryRequest;
    fail = false;
    await tapIfThere(retry);
    await expect(home.tiles).toHaveCount(21);
  },
);

/** The fields that a gateway may omit. */
const optionalFields = new Set([
  'classify',
  'content',
  'counts',
  'cta',
  'currency',
  'downloadLinks',
  'flags',
  'gameTypes',
  'licences',
  'modules',
  'pickerLanguages',
  'promotions',
  'signIn',
  'startTime',
  'systemStatus',
  'tag',
  'url',
  'vendorSorting',
]);

test(
  'every screen of the front works when responses lack optional fields',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/wps/**', async (route) => {
      const response = await route.fetch();
      const json: unknown = await response.json().catch(() => null);
      const reduced = JSON.stringify(json, (name, value: unknown) =>
        optionalFields.has(name) ? undefined : value,
      );
      await (json ? route.fulfill({ response, body: reduced }) : route.fulfill({ response }));
    });
    const front = new Front(page);
    await open('/m/home');
    await expect(front.tiles).toHaveCount(21);
    await front.scrollToEnd();
    await expect(front.block('Winner board')).toBeVisible();
    await expect(front.block('Game providers')).toBeVisible();

    await page.goto('/m/game');
    await expect(front.main.getByRole('article').first()).toBeVisible();
    await page.goto('/m/slotsCenter');
    await expect(front.main.getByRole('article').first()).toBeVisible();
    await page.goto('/m/notice');
    const notice = front.main.getByRole('listitem').getByRole('button').first();
    await notice.tap();
    await expect(notice).toHaveAttribute('aria-expanded', 'true');
    await page.goto('/m/winnerBoard');
    await expect(front.main.getByRole('listitem').first()).toBeVisible();
    await page.goto('/m/app');
    await expect(front.block('Bonuses for installing')).toBeVisible();
    await page.goto('/m/login');
    await expect(new Login(page).submit).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('without a network the app says so and keeps its layout, and it recovers with the network', async ({
  page,
  open,
  context,
}) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  // After two frames, the shortest transitions are over.
  const positions = () =>
    page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const elements = [...document.querySelectorAll('header, main')];
      return elements.map((element) => element.getBoundingClientRect().y);
    });
  const before = await positions();
  await context.setOffline(true);
  await expect(app.offlineBar).toBeVisible();
  expect(await positions(), 'nothing moves').toEqual(before);
  await context.setOffline(false);
  await expect(app.offlineBar).toHaveCount(0);
});

test('ER-02 bar part: a network failure that the browser does not report is detected, and the failed parts reload with the network', async ({
  page,
  open,
}) => {
  let isOffline = true;
  await page.route('**/wps/**', (route) =>
    isOffline ? route.abort('internetdisconnected') : route.fallback(),
  );
  await open('/m/home');
  const home = new Home(page);
  await expect(home.offlineBar).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  isOffline = false;
  await expect(home.offlineBar).toHaveCount(0);
  await expect(home.tiles).toHaveCount(21);
});

test(
  'ER-02 bar part: a single failed request shows its error in place, without the bar',
  { tag: '@soak' },
  async ({ page, open }) => {
    let statusResponses = 0;
    await page.route('**/wps/relay/GCSGAME_hotGamesV2**', (route) => route.abort());
    page.on('response', (response) => {
      if (response.url().endsWith('/wps/system/status')) statusResponses += 1;
    });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('body > [role=status] svg')) document.title = 'flickered';
      }).observe(document, { subtree: true, childList: true });
    });
    await open('/m/home');
    const home = new Home(page);
    await expect(home.failure.first()).toBeVisible();
    // One response is for the page itself, the other for the network check.
    await expect.poll(() => statusResponses).toBeGreaterThanOrEqual(2);
    await expect(home.offlineBar).toHaveCount(0);
    await expect(page).not.toHaveTitle('flickered');
  },
);

test(
  'a login without a network shows an error and keeps the typed values',
  { tag: '@soak' },
  async ({ page, open, context }) => {
    await open('/m/login');
    const login = new Login(page);
    await expect(login.submit).toBeVisible();
    await context.setOffline(true);
    await login.logIn('player99', 'Secret123');
    await expect(login.failure).toContainText(login.text('errors.network.offline'));
    await expect(login.username).toHaveValue('player99');
    await context.setOffline(false);
  },
);

test('a login screen that fails to load offers a way back, and loads with the network', async ({
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

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the app opens without a network, also at a new URL, and shows no stored server data', async ({
    page,
    open,
    login,
  }) => {
    await open('/m/home', { session: await login() });
    const home = new Home(page);
    await expect(home.balance).toBeVisible();
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      while (registration.active?.state !== 'activated')
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await setOffline(page, true);
    await page.reload();
    await expect(home.offlineBar).toBeVisible();
    await expect(home.bottomMenu).toBeVisible();
    await expect(home.failure.first()).toBeVisible();
    await expect(home.tiles).toHaveCount(0);
    await expect(home.balance).toHaveCount(0);

    await page.goto('/m/notice');
    await expect(home.title).toHaveText(home.text('Announcements'));
    const retryButton = home.main.getByRole('button', {
      name: home.text('Load failed, tap to retry'),
    });
    await expect(retryButton).toBeVisible();
    await setOffline(page, false);
    await expect(home.main.getByRole('listitem').first()).toBeVisible();
    await expect(home.offlineBar).toHaveCount(0);
  });

  test(
    'home opened without a network shows each error in place, and loads with the network',
    { tag: '@soak' },
    async ({ page, open, context }) => {
      await open('/m/home');
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          timeout: 240_000,
        })
        .toBe('activated');
      // The emulation does not report the missing network to this page. Its failed requests do.
      await context.setOffline(true);
      await page.reload();
      const home = new Home(page);
      await expect(home.offlineBar).toBeVisible();
      await expect(home.failure.first()).toBeVisible();
      await expect(home.tiles).toHaveCount(0);
      await context.setOffline(false);
      await expect(home.offlineBar).toHaveCount(0);
      await expect(home.failure).toHaveCount(0);
      await expect(home.tiles).toHaveCount(21);
      await expect(home.banners.getByRole('link').first()).toBeVisible();
    },
  );

  test(
    'a new URL opened without a network shows an error, and loads with the network',
    { tag: '@soak' },
    async ({ page, open }) => {
      await open('/m/home');
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          timeout: 240_000,
        })
        .toBe('activated');
      await setOffline(page, true);
      await page.goto('/m/notice');
      const app = new App(page);
      await expect(app.offlineBar).toBeVisible();
      await expect(app.title).toHaveText(app.text('Announcements'));
      const retryButton = app.main.getByRole('button', {
        name: app.text('Load failed, tap to retry'),
      });
      await expect(retryButton).toBeVisible();
      await setOffline(page, false);
      await expect(async () => {
        if (await retryButton.isVisible()) await retryButton.tap();
        await expect(app.main.getByRole('listitem').first()).toBeVisible({ timeout: 10_000 });
      }).toPass({ timeout: 240_000 });
      await expect(app.offlineBar).toHaveCount(0);
    },
  );

  test(
    'the menu and the login open without a network',
    { tag: '@soak' },
    async ({ page, open, context }) => {
      await open('/m/home');
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          // Waits until the worker has cached its files.
          timeout: 240_000,
        })
        .toBe('activated');
      await context.setOffline(true);
      const menu = new Menu(page);
      await menu.open();
      await menu.panel.getByRole('link', { name: menu.text('Login'), exact: true }).tap();
      await expect(new Login(page).submit).toBeVisible();
      await context.setOffline(false);
    },
  );
});
