import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { logIn } from '../support/member.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

/** Every public path with its title, from the specification and the rulings. */
const publicScreens: [path: string, title: string][] = [
  ['/m/register', 'Create an account'],
  ['/m/register.html', 'Create an account'],
  ['/m/forget', 'Forgot password'],
  ['/m/trail', 'Free trial'],
  ['/m/game', 'Game center'],
  ['/m/gameCenter', 'Game center'],
  ['/m/gameList?type=hot', 'Games'],
  ['/m/slotsCenter', 'RNG'],
  ['/m/lottery', 'Lottery'],
  ['/m/startLottery', 'Lottery'],
  ['/m/lotteryHistory', 'Lottery results'],
  ['/m/jackpot', 'Jackpot'],
  ['/m/winnerBoard', 'Winner board'],
  ['/m/liveStream', 'Live streams'],
  ['/m/fairness', 'Check a result'],
  ['/m/activity', 'Promotion'],
  ['/m/inviteFriends', 'Invite friends'],
  ['/m/notice', 'Announcements'],
  ['/m/message', 'Messages'],
  ['/m/messages', 'Messages'],
  ['/m/chat', 'Live chat'],
  ['/m/service', 'Customer service'],
  ['/m/help', 'Help center'],
  ['/m/helpDetail?p=0&c=1', 'Help center'],
  ['/m/app', 'Download app'],
  ['/m/banner/7', 'Announcement'],
  ['/m/userAgreement', 'User agreement'],
  ['/m/policy/privacy', 'Policy'],
  ['/m/credits', 'Credits'],
];

const memberScreens: [path: string, title: string][] = [
  ['/m/changePsw', 'Change password'],
  ['/m/launchGame?code=lobby', 'Lottery'],
  ['/m/voucherCenter', 'Deposit'],
  ['/m/withdraw', 'Withdraw'],
  ['/m/gameRecord', 'Betting record'],
  ['/m/rewardCenter', 'Reward centre'],
  ['/m/webEmail', 'Inbox'],
  ['/m/member/home', 'Member centre'],
  ['/m/member/manualRebate', 'Cash back'],
  ['/m/member/profile', 'Profile'],
  ['/m/member/security', 'Security'],
  ['/m/member/bankCards', 'Bank cards'],
  ['/m/member/kyc', 'Identity check'],
  ['/m/member/vip', 'VIP'],
  ['/m/member/checkIn', 'Check-in'],
  ['/m/member/transfer', 'Wallet transfer'],
  ['/m/member/transactions', 'Transactions'],
  ['/m/member/feedback', 'Feedback'],
  ['/m/member/limits', 'Limits and breaks'],
  ['/m/member/notifications', 'Notifications'],
  ['/m/member/agent', 'Agent'],
  ['/m/member/agent/getSalaryContract', 'Daily salary contract'],
  ['/m/member/agent/getDevidendContract', 'Dividend contract'],
  ['/m/member/agent/getHourContract', 'Hourly salary contract'],
];

test('every public path opens its screen directly', { tag: '@soak' }, async ({ page }) => {
  const app = new App(page);
  for (const [path, title] of publicScreens) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(app.title).toHaveText(app.text(title));
      await expect(page).toHaveURL(path);
    });
  }
});

test(
  'a member can open the member screens, and a visitor must log in first',
  { tag: '@soak' },
  async ({ page, open: start, login }) => {
    const app = new App(page);
    const [first] = memberScreens;
    for (const [path] of memberScreens) {
      await test.step(`visitor: ${path}`, async () => {
        await page.goto(path);
        await expect(page).toHaveURL(`/m/login?return=${encodeURIComponent(path)}`);
      });
    }
    await start(first![0], { session: await login() });
    for (const [path, title] of memberScreens) {
      await test.step(`member: ${path}`, async () => {
        await page.goto(path);
        await expect(app.title).toHaveText(app.text(title));
      });
    }
  },
);

test('RT-01 RT-28 several paths and unknown paths open home on a page load', async ({ page }) => {
  const home = new Home(page);
  for (const path of [
    '/',
    '/m',
    '/m/',
    '/m/index',
    '/m/index.html',
    '/m/home',
    '/m/no/such/place',
    '/m/x.y',
  ]) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(home.hotGames).toBeVisible();
    });
  }
  await page.goto('/m/credits');
  await expect(home.title).toHaveText(home.text('Credits'));
});

test(
  'RT-01 RT-28 several paths and an unknown path open home on navigation inside the app',
  { tag: '@soak' },
  async ({ page, open: start }) => {
    const home = new Home(page);
    await start('/m/help');
    for (const path of [
      '/',
      '/m',
      '/m/',
      '/m/index',
      '/m/index.html',
      '/m/home',
      '/m/nowhere/at/all',
    ]) {
      await test.step(path, async () => {
        await home.goTo('/m/help');
        await expect(home.title).toHaveText(home.text('Help center'));
        await home.goTo(path);
        await expect(home.hotGames).toBeVisible();
        await expect(home.header.getByRole('link', { name: 'Fairground' })).toBeVisible();
        expect(new URL(page.url()).pathname).toBe(path);
      });
    }
    await home.goTo('/m/credits');
    await expect(home.title).toHaveText(home.text('Credits'));
  },
);

/** The titles from the specification. The title of home contains the merchant's name. */
const titles: [path: string, title: string][] = [
  ['/m/activity', 'Promotion'],
  ['/m/login', 'Login'],
  ['/m/register', 'Register'],
  ['/m/trail', 'Free trial'],
  ['/m/notice', 'Announcements'],
  ['/m/gameCenter', 'Game center'],
  ['/m/game', 'Game center'],
  ['/m/slotsCenter', 'RNG'],
  ['/m/message', 'Messages'],
  ['/m/help', 'Help center'],
];

for (const language of ['vi', 'en'] as const) {
  test(
    `LY-03 every screen has its title, in its bar and in the window: ${language}`,
    tagOf(language),
    async ({ page, open: start, server, request }) => {
      const app = new App(page, language);
      await start('/m/home', { language });
      await expect(app.title).toContainText(app.text('Home'));
      for (const [path, title] of titles) {
        await test.step(path, async () => {
          await app.goTo(path);
          await expect(page).toHaveTitle(new RegExp(`^${app.text(title)} · `));
          const back = page.getByRole('button', { name: app.text('Back'), exact: true }).first();
          await expect(back.locator('..')).toContainText(app.text(title));
        });
      }
      const name = `first${Date.now().toString(36)}`.slice(0, 14);
      const session = await logIn(request, name, await server.createMember(name));
      expect(session.firstTimeLogin).toBe(true);
      await page.evaluate(
        (items) => {
          for (const [key, value] of items) localStorage.setItem(key, String(value));
        },
        Object.entries({ ...session, merchantCode: 'fairground' }),
      );
      await page.goto('/m/changePsw');
      await expect(app.title).toHaveText(app.text('First password'));
      await expect(page).toHaveTitle(new RegExp(`^${app.text('First password')} · `));
    },
  );
}

test(
  'LY-04 the arrow leads home from login, registration, trial, promotions and forgotten passwords',
  { tag: '@soak' },
  async ({ page, open: start }) => {
    const app = new App(page);
    await start('/m/home');
    for (const path of ['/m/login', '/m/register', '/m/trail', '/m/activity', '/m/forget']) {
      await test.step(path, async () => {
        // Two steps away from home, so that one step back leads elsewhere.
        await app.goTo('/m/help');
        await expect(app.title).toHaveText(app.text('Help center'));
        await app.goTo(path);
        const back = page.getByRole('button', { name: app.text('Back'), exact: true }).first();
        await expect(app.title).not.toHaveText(app.text('Help center'));
        await expect(async () => {
          // A tap right after a navigation counts as a double tap. A slow tap may have worked nevertheless.
          if (!page.url().endsWith('/m/home')) await back.tap({ timeout: 10_000 });
          await expect(page).toHaveURL('/m/home', { timeout: 1500 });
        }).toPass();
      });
    }
  },
);

test('LY-04 in part, LY-05: the arrow goes one step back, or home if there is no step', async ({
  page,
  open: start,
}) => {
  await start('/m/help');
  const app = new App(page);
  const back = app.header.getByRole('button', { name: app.text('Back'), exact: true });
  await back.tap();
  await expect(page).toHaveURL('/m/home');

  await app.bottomMenu.getByRole('link', { name: app.text('Promotion') }).tap();
  await expect(page).toHaveURL('/m/activity');
  await page.goBack();
  await expect(page).toHaveURL('/m/home');
  await page.goForward();
  await expect(page).toHaveURL('/m/activity');
  await app.bottomMenu.getByRole('link', { name: app.text('Invite friends') }).tap();
  await expect(page).toHaveURL('/m/inviteFriends');
  // A tap during the page transition does nothing.
  await expect(async () => {
    if (!page.url().endsWith('/m/activity')) await back.tap({ timeout: 10_000 });
    await expect(page).toHaveURL('/m/activity', { timeout: 1500 });
  }).toPass();
  // From promotions the arrow always leads home.
  await expect(async () => {
    if (!page.url().endsWith('/m/home')) await back.tap({ timeout: 10_000 });
    await expect(page).toHaveURL('/m/home', { timeout: 1500 });
  }).toPass();
});

test(
  "the browser's back button keeps the values typed on other screens",
  { tag: '@soak' },
  async ({ page, open: start }) => {
    await start('/m/home');
    const app = new App(page);
    await app.loginLink.tap();
    const login = new Login(page);
    await expect(login.submit).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/m/home');
    await expect(app.loginLink).toBeVisible();
  },
);

test(
  'a return URL of another site is ignored',
  { tag: '@soak' },
  async ({ page, open: start, login }) => {
    const session = await login();
    for (const target of [
      'https://elsewhere.example/m/home',
      '//elsewhere.example/m/',
      '/wps/system/status',
      'javascript:alert(1)',
    ]) {
      await start(`/m/login?return=${encodeURIComponent(target)}`, { session });
      await expect(page).toHaveURL('/m/home');
    }
  },
);

test('a missing file returns 404, not the app', { tag: '@soak' }, async ({ request }) => {
  for (const path of ['/m/assets/nothing.js', '/m/art/tiles/nothing.webp', '/robots.php']) {
    expect((await request.get(path)).status(), path).toBe(404);
  }
});

test('the content security policy allows no inline code and no eval', async ({ page, request }) => {
  const policy = (await request.get('/m/home')).headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-(inline|eval)/);
  await page.goto('/m/home');
  await expect(new Home(page).hotGames).toBeVisible();
});
