import { App } from '../pages/app.ts';
import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { setOffline } from '../support/network.ts';
import { inGate } from '../support/tag.ts';
import { tapIfThere } from '../support/tap.ts';
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
  test(
    `ER-03 ${name}: 'System error, try again later', and what was typed stays`,
    inGate(name === 'cut JSON'),
    async ({ page, open }) => {
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
    },
  );
}

test('ER-03 in every language', { tag: '@soak' }, async ({ page, open }) => {
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
  await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
  await expect(login.username).toHaveValue('nobody99');
  await expect(login.password).toHaveValue('Wrong1234');
});

test(
  'empty fields are told under each field and nothing is sent',
  { tag: '@soak' },
  async ({ page, open }) => {
    let sent = 0;
    await page.route('**/wps/session/login', (route) => {
      sent += 1;
      return route.continue();
    });
    await open('/m/login');
    const login = new Login(page);
    await login.submit.tap();
    await expect(page.getByText(login.text('errors.validation.required'))).toBeVisible();
    await expect(page.getByText(login.text('errors.member.password_required'))).toBeVisible();
    await expect(login.username).toBeFocused();
    expect(sent).toBe(0);
  },
);

test(
  'a list that failed is told and really asked for again',
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
    const again = page.waitForRequest('**/wps/relay/GCSGAME_hotGamesV2*');
    await retry.tap();
    await again;
    fail = false;
    await tapIfThere(retry);
    await expect(home.tiles).toHaveCount(21);
  },
);

/** Parts of answers that a gateway may leave out. */
const parts = new Set([
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
  'answers that lack parts leave every screen of the front standing',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/wps/**', async (route) => {
      const answer = await route.fetch();
      const json: unknown = await answer.json().catch(() => null);
      const half = JSON.stringify(json, (name, value: unknown) =>
        parts.has(name) ? undefined : value,
      );
      await (json
        ? route.fulfill({ response: answer, body: half })
        : route.fulfill({ response: answer }));
    });
    const front = new Front(page);
    await open('/m/home');
    await expect(front.tiles).toHaveCount(21);
    await front.seeAll();
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
    // What is still on its way has nobody left to answer.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
);

test('without a network the app says so where it stands, and goes on when it is back', async ({
  page,
  open,
  context,
}) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  // Two frames later: what changes within the shortest time has changed.
  const places = () =>
    page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const parts = [...document.querySelectorAll('header, main')];
      return parts.map((part) => part.getBoundingClientRect().y);
    });
  const before = await places();
  await context.setOffline(true);
  await expect(app.offlineBar).toBeVisible();
  expect(await places(), 'nothing moves').toEqual(before);
  await context.setOffline(false);
  await expect(app.offlineBar).toHaveCount(0);
});

test('ER-02 bar part: a network that is gone without the browser knowing is told, and what failed comes with it', async ({
  page,
  open,
}) => {
  let gone = true;
  await page.route('**/wps/**', (route) =>
    gone ? route.abort('internetdisconnected') : route.fallback(),
  );
  await open('/m/home');
  const home = new Home(page);
  await expect(home.offlineBar).toBeVisible();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  gone = false;
  await expect(home.offlineBar).toHaveCount(0);
  // By themselves: nobody tapped anything.
  await expect(home.tiles).toHaveCount(21);
});

test(
  'ER-02 bar part: a single call that gets nowhere says so in its place, and the bar does not flicker',
  { tag: '@soak' },
  async ({ page, open }) => {
    let looked = 0;
    await page.route('**/wps/relay/GCSGAME_hotGamesV2**', (route) => route.abort());
    page.on('response', (answer) => {
      if (answer.url().endsWith('/wps/system/status')) looked += 1;
    });
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector('body > [role=status] svg')) document.title = 'flickered';
      }).observe(document, { subtree: true, childList: true });
    });
    await open('/m/home');
    const home = new Home(page);
    await expect(home.failure.first()).toBeVisible();
    // The page's own call, and the one that was made to find out.
    await expect.poll(() => looked).toBeGreaterThanOrEqual(2);
    await expect(home.offlineBar).toHaveCount(0);
    await expect(page).not.toHaveTitle('flickered');
  },
);

test(
  'a login without a network says so and keeps what was typed',
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

  test('the app opens without a network, at an address that was never seen too, and shows nothing that was kept of the server', async ({
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
    const again = home.main.getByRole('button', { name: home.text('Load failed, tap to retry') });
    await expect(again).toBeVisible();
    await setOffline(page, false);
    await expect(home.main.getByRole('listitem').first()).toBeVisible();
    await expect(home.offlineBar).toHaveCount(0);
  });

  test(
    'home that is opened without a network tells so in each place, and comes with it',
    { tag: '@soak' },
    async ({ page, open, context }) => {
      await open('/m/home');
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          timeout: 240_000,
        })
        .toBe('activated');
      // This browser's emulation does not tell such a page that there is none: its calls do.
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
    'an address that was never seen opens as a screen that says so, and comes with the network',
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
      const again = app.main.getByRole('button', { name: app.text('Load failed, tap to retry') });
      await expect(again).toBeVisible();
      await setOffline(page, false);
      await expect(async () => {
        if (await again.isVisible()) await again.tap();
        await expect(app.main.getByRole('listitem').first()).toBeVisible({ timeout: 10_000 });
      }).toPass({ timeout: 240_000 });
      await expect(app.offlineBar).toHaveCount(0);
    },
  );

  test(
    'without a network the menu and the login open',
    { tag: '@soak' },
    async ({ page, open, context }) => {
      await open('/m/home');
      await expect
        .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), {
          // It fetches all that it keeps first.
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
