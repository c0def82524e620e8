import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Menu } from '../pages/menu.ts';
import { logIn, newGuest, newMember } from '../support/member.ts';
import { agent, demo, expect, test } from '../support/test.ts';
import { languages } from '../support/text.ts';

test('BM-01 KO-05 in part: the home item opens home, selects HOT and scrolls to the top, and the hot games scroll to below the header', async ({
  page,
  open,
}) => {
  const home = new Home(page);
  const chip = (code: string) =>
    page
      .getByRole('navigation', { name: home.text('Game categories') })
      .locator(`a[href$="${code}"]`);
  await open('/m/home?category=LIVE');
  await expect(chip('category=LIVE')).toHaveAttribute('aria-current', 'true');
  await page.evaluate(() => window.scrollTo(0, 300));
  await home.menuItem('Home').tap();
  await expect(page).toHaveURL('/m/home');
  await expect(chip('/m/home')).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(home.tiles).toHaveCount(21);

  // 3.12 rem, plus the distance of a heading to the bar.
  const shortcuts = page.getByRole('navigation', { name: home.text('Shortcuts') });
  await shortcuts.getByRole('link', { name: home.text('Hot games') }).tap();
  const heading = home.hotGames.getByRole('heading', { level: 2 });
  const offset = await heading.evaluate((title) => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const gap = getComputedStyle(title).getPropertyValue('--s3');
    return 3.12 * rem + Number.parseFloat(gap);
  });
  await expect
    .poll(async () => Math.abs((await heading.boundingBox())!.y - offset))
    .toBeLessThan(1);

  await home.menuItem('Promotion').tap();
  await expect(page).toHaveURL('/m/activity');
  await home.menuItem('Home').tap();
  await expect(page).toHaveURL('/m/home');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
});

test(
  'BM-01 with another default category, the home item still selects HOT',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const home = new Home(page);
    await server.set('site.home_category', 'LIVE');
    try {
      await open('/m/home');
      await expect(page.getByRole('heading', { level: 2 }).first()).not.toHaveText(
        home.text('Hot games'),
      );
      await home.menuItem('Home').tap();
      await expect(page).toHaveURL('/m/home?category=HOT');
      await expect(home.tiles).toHaveCount(21);
    } finally {
      await server.set('site.home_category', 'HOT');
    }
  },
);

test('BM-02 BM-03 BM-04 BM-05 the menu of a visitor has invitation, login, promotions and login', async ({
  page,
  open,
  server,
}) => {
  const home = new Home(page);
  await open('/m/home');
  const expectedItems = (items: [string, string][]) =>
    items.map(([id, to]) => `${home.text(id)} ${to}`);
  await expect
    .poll(() => home.menuItems())
    .toEqual(
      expectedItems([
        ['Home', '/m/home'],
        ['Invite friends', '/m/inviteFriends'],
        ['Login', '/m/login'],
        ['Promotion', '/m/activity'],
        ['Me', '/m/login'],
      ]),
    );
  await home.menuItem('Invite friends').tap();
  await expect(page).toHaveURL('/m/inviteFriends');
  await home.menuItem('Promotion').tap();
  await expect(page).toHaveURL('/m/activity');
  for (const item of ['Login', 'Me']) {
    await home.menuItem(item).tap();
    await expect(page).toHaveURL('/m/login');
    await page.goBack();
    await expect(page).toHaveURL('/m/activity');
  }

  await server.switch('promotion', 'REFERRAL', false);
  try {
    await page.goto('/m/home');
    await expect(home.bottomMenu.getByRole('link')).toHaveCount(4);
    await expect(home.menuItem('Invite friends')).toHaveCount(0);
    const widths = await home.bottomMenu
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
  } finally {
    await server.switch('promotion', 'REFERRAL', true);
  }
});

test(
  'BM-02 BM-03 BM-05 the menu of a member has invitation, deposit and member centre',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const home = new Home(page);
    await open('/m/home', { session: await newMember(server, request) });
    await expect(home.menuItem('Login')).toHaveCount(0);
    await expect(home.menuItem('Invite friends')).toHaveAttribute('href', '/m/inviteFriends');
    await home.menuItem('Deposit').tap();
    await expect(page).toHaveURL('/m/voucherCenter');
    await home.menuItem('Me').tap();
    await expect(page).toHaveURL('/m/member/home');
  },
);

for (const type of [1, 2]) {
  test(
    `BM-02 notices are the second item for a logged-in member of type ${type}, also with REFERRAL off`,
    { tag: '@soak' },
    async ({ page, open, server, request }) => {
      const home = new Home(page);
      const session = await logIn(request, agent, demo.password);
      if (type === 1) expect(session.type).toBe(1);
      await server.switch('promotion', 'REFERRAL', false);
      try {
        await open('/m/home', { session: { ...session, type } });
        await expect(home.bottomMenu.getByRole('link')).toHaveCount(5);
        const second = home.bottomMenu.getByRole('link').nth(1);
        await expect(second).toContainText(home.text('Notice'));
        // The badge shows the server's number, including notices for agents only.
        const unread = await request.get('/wps/relay/MCSFE_getUnreadAnnouncementCount', {
          headers: { Authorization: session.token },
        });
        const { value } = (await unread.json()) as { value: { count: number } };
        expect(value.count).toBeGreaterThan(0);
        await expect(second).toContainText(String(value.count));
        await second.tap();
        await expect(page).toHaveURL('/m/notice');
      } finally {
        await server.switch('promotion', 'REFERRAL', true);
      }
    },
  );
}

test(
  'BM-02 a member with an affiliate code has an item with that name',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const home = new Home(page);
    await page.route('**/wps/member/info', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { value: object };
      const value = { ...body.value, affiliateCode: 'demo88' };
      await route.fulfill({ response, json: { ...body, value } });
    });
    await open('/m/home', { session: await login() });
    await home.menuItem('Affiliate code').tap();
    await expect(page).toHaveURL('/m/inviteFriends');
  },
);

test(
  'BM-05 a guest gets an alert that leads to the registration',
  { tag: '@soak' },
  async ({ page, open, request }) => {
    const home = new Home(page);
    await open('/m/home', { session: await newGuest(request) });
    await home.menuItem('Me').tap();
    await expect(home.question).toContainText(home.text('You are playing as a guest'));
    await expect(page).toHaveURL('/m/home');
    await home.question.getByRole('button', { name: home.text('Register now') }).tap();
    await expect(page).toHaveURL('/m/register');
  },
);

test('SM-01 SM-04 the menu of a member has logo, name, total balance, logout and languages, and it opens and closes', async ({
  page,
  open,
  server,
  request,
}) => {
  const session = await newMember(server, request);
  await server.adjust(session.userName, 4_321_000);
  const menu = new Menu(page);
  await open('/m/home', { session });
  await menu.open();
  await expect(menu.panel.getByText('Fairground', { exact: true })).toBeVisible();
  await expect(menu.panel.locator('svg, img').first()).toBeVisible();
  const memberLink = menu.panel.locator('a[href="/m/member/home"]');
  await expect(memberLink.locator('img, svg').first()).toBeVisible();
  await expect(memberLink).toContainText(session.userName);
  await expect(menu.panel).toContainText(menu.text('Total balance'));
  await expect(menu.panel.locator('bdi').filter({ hasText: '₫' })).toHaveText(/4[.,]321[.,]000\s₫/);
  const english = await menu.chooseLanguage('en');
  await expect(english.languages.getByRole('radio', { name: 'EN' })).toBeChecked();
  await english.panel.getByRole('button', { name: 'Close' }).tap();
  await expect(english.panel).toHaveCount(0);
  await english.open();
  await english.panel.getByRole('button', { name: 'Log out' }).tap();
  await expect(english.question).toBeVisible();
});

test(
  'SM-04 in part: on a phone the menu of a member shows all its options at once, in every language',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    await open('/m/home', { session: await login() });
    let menu = new Menu(page);
    await menu.open();
    for (const language of languages) {
      menu = await menu.chooseLanguage(language);
      await expect(menu.languages).toBeInViewport({ ratio: 1 });
      await expect(menu.themes).toBeInViewport({ ratio: 0.85 });
    }
  },
);

test(
  'SM-01 the nickname is shown if there is one',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const menu = new Menu(page);
    await open('/m/home', { session: await login() });
    await menu.open();
    await expect(menu.panel.locator('a[href="/m/member/home"]')).toContainText('Minh Anh');
  },
);

test(
  'SM-02 SM-03 the menu of a visitor has login links and shortcuts, with WhatsApp if it is set up',
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const menu = new Menu(page);
    const links = () =>
      menu.panel
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const shortcuts = (extraPaths: string[]) => [
      '/m/login',
      '/m/register',
      '/m/forget',
      '/m/voucherCenter',
      '/m/withdraw',
      '/m/gameRecord',
      'https://wa.example.test/1',
      '/m/chat',
      ...extraPaths,
    ];
    await server.set('site.services', [
      { type: 'CS', url: '/m/policy/contact' },
      { type: 'WHATSAPP', url: 'https://wa.example.test/1' },
    ]);
    try {
      await open('/m/home');
      await menu.open();
      await expect(menu.panel.getByRole('button', { name: menu.text('Log out') })).toHaveCount(0);
      await expect(menu.panel.getByRole('link', { name: 'WhatsApp' })).toBeVisible();
      expect((await links()).slice(0, 9)).toEqual(shortcuts(['/m/app']));
      const [opened] = await Promise.all([
        page.waitForEvent('popup'),
        page
          .context()
          .route('https://wa.example.test/**', (route) => route.fulfill({ body: 'hello' })),
        menu.panel.getByRole('link', { name: 'WhatsApp' }).tap(),
      ]);
      await expect(opened).toHaveURL('https://wa.example.test/1');
      await opened.close();

      for (const [id, path] of [
        ['Forgot password?', '/m/forget'],
        ['Download app', '/m/app'],
      ] as const) {
        await menu.panel.getByRole('link', { name: menu.text(id), exact: true }).tap();
        await expect(page).toHaveURL(path);
        await page.goto('/m/home');
        await menu.open();
      }

      await page.addInitScript(() => Object.assign(navigator, { standalone: true }));
      await page.reload();
      await menu.open();
      await expect(menu.panel.getByRole('link', { name: 'WhatsApp' })).toBeVisible();
      expect((await links()).slice(0, 8)).toEqual(shortcuts([]));
      expect(await links()).not.toContain('/m/app');
    } finally {
      await server.set('site.services', [{ type: 'CS', url: '/m/policy/contact' }]);
    }
  },
);

test(
  "EN-15 the affiliates' url is opened unchanged",
  { tag: '@soak' },
  async ({ page, open, server }) => {
    const front = new Front(page);
    const url = 'https://affiliates.example.test/join?from=fairground';
    await server.set('site.services', [
      { type: 'CS', url: '/m/policy/contact' },
      { type: 'AFFILIATELINK', url },
    ]);
    try {
      await page
        .context()
        .route(`${new URL(url).origin}/**`, (route) => route.fulfill({ body: 'hi' }));
      await open('/m/service');
      const link = front.main.getByRole('link', { name: front.text('For affiliates') });
      const [opened] = await Promise.all([page.waitForEvent('popup'), link.tap()]);
      await expect(opened).toHaveURL(url);
    } finally {
      await server.set('site.services', [{ type: 'CS', url: '/m/policy/contact' }]);
    }
  },
);
