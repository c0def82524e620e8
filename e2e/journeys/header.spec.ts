import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

test('HD-01 LY-06 logged out, the header has login and register, with the logo on home and the back arrow elsewhere', async ({
  page,
  open,
}) => {
  const home = new Home(page);
  const logo = home.header.getByRole('link', { name: 'Fairground', exact: true });
  await open('/m/home');
  for (const path of ['/m/home', '/', '/m', '/m/index', '/m/index.html']) {
    await home.goTo(path);
    await expect(logo.locator('svg, img').first(), path).toBeVisible();
    await expect(home.backButton, path).toHaveCount(0);
  }
  await expect(home.logoutButton).toHaveCount(0);
  await home.menuItem('Promotion').tap();
  await expect(home.backButton).toBeVisible();
  await expect(logo).toHaveCount(0);

  await page.goBack();
  await home.loginLink.tap();
  await expect(page).toHaveURL('/m/login');
  await page.goBack();
  await home.header.getByRole('link', { name: home.text('Register'), exact: true }).tap();
  await expect(page).toHaveURL('/m/register');
});

test(
  'HD-02 logged in, the header has the balance, the nickname, the name of the VIP label and the logout icon',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const home = new Home(page);
    await open('/m/home', { session: await login() });
    await expect(home.header).toContainText('Minh Anh');
    await expect(home.header).toContainText('VIP 3');
    await expect(home.balance).toBeVisible();
    await expect.poll(() => home.balanceValue()).toBeGreaterThan(0);
    await expect(home.loginLink).toHaveCount(0);
    await expect(home.logoutButton.locator('svg')).toBeVisible();
    await home.logoutButton.tap();
    await expect(home.question).toBeVisible();
  },
);

test(
  'HD-02 without a nickname and a label, the header shows the account, 0 and the balance of the wallet',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const session = await newMember(server, request);
    await server.adjust(session.userName, 321_000);
    const home = new Home(page);
    await open('/m/home', { session });
    const memberLink = home.header.locator('a[href="/m/member/home"]');
    await expect(memberLink.locator('bdi')).toHaveText([session.userName, '0']);
    await expect(home.balance).toContainText('321');
  },
);

test('HD-02 KO-04 on a narrow phone, a large balance shows every digit next to the buttons', async ({
  page,
  open,
  server,
  request,
}) => {
  const session = await newMember(server, request);
  await server.adjust(session.userName, 1_234_567_890);
  await page.setViewportSize({ width: 360, height: 740 });
  const home = new Home(page);
  await open('/m/home', { session });
  const expectFits = async (text: string) => {
    await expect(home.balance).toContainText(text);
    const overflow = await home.header.evaluate((bar) => bar.scrollWidth - bar.clientWidth);
    expect(overflow).toBe(0);
    await expect(home.balance).toBeInViewport({ ratio: 1 });
    await expect(home.logoutButton).toBeInViewport({ ratio: 1 });
  };
  await expectFits('1.234.567.890');
  await server.adjust(session.userName, -1000);
  await expectFits('1.234.566.890');
  await server.adjust(session.userName, 999_000_000_000_000);
  await expectFits('999.001.234.566.890');
});

const withoutHeader = ['login', 'register', 'message', 'app', 'gameList', 'lottery', 'forget'];
const withoutFooter = [
  'login',
  'register',
  'slotsCenter',
  'gameList',
  'lottery',
  'forget',
  'changePsw',
  'app',
  'notice',
  'help',
  'helpDetail',
];
const withBoth = [
  'home',
  'activity',
  'game',
  'gameCenter',
  'trail',
  'service',
  'jackpot',
  'credits',
];

test(
  'LY-01 LY-02 header and footer show on every screen except those that hide them',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const app = new App(page);
    const expectBars = async (name: string) => {
      await test.step(name, async () => {
        await app.goTo(`/m/${name}`);
        // Member screens redirect visitors to the login. The login redirects members.
        await expect(page).toHaveURL(`/m/${name}`);
        await expect(app.title).toBeVisible();
        await expect(app.header).toHaveCount(withoutHeader.includes(name) ? 0 : 1);
        await expect(app.bottomMenu).toHaveCount(withoutFooter.includes(name) ? 0 : 1);
      });
    };
    await open('/m/credits');
    for (const name of new Set([...withBoth, ...withoutHeader, ...withoutFooter])) {
      if (name !== 'changePsw') await expectBars(name);
    }
    await page.evaluate(
      (session) => {
        for (const [key, value] of Object.entries(session))
          localStorage.setItem(key, String(value));
        localStorage.setItem('merchantCode', 'fairground');
      },
      await login(),
    );
    await page.goto('/m/changePsw');
    await expectBars('changePsw');
  },
);

test(
  'RO-09 the menu items and screens of cash back and invitation follow their flags',
  { tag: '@soak' },
  async ({ page, open, server, login }) => {
    const home = new Home(page);
    const switches = [
      ['flag', 'MANPLAYREB3', '/m/member/manualRebate', 'Cash back'],
      ['promotion', 'REFERRAL', '/m/inviteFriends', 'Invite friends'],
    ] as const;
    await open('/m/home', { session: await login() });
    for (const [kind, code, path, title] of switches) {
      await page.goto(path);
      await expect(home.title).toHaveText(home.text(title));
      await server.switch(kind, code, false);
      try {
        await page.goto(path);
        await expect(home.hotGames).toBeVisible();
        await expect(home.title).not.toHaveText(home.text(title));
        await expect(page.locator(`a[href="${path}"]`)).toHaveCount(0);
      } finally {
        await server.switch(kind, code, true);
      }
    }
  },
);

test('KO-09 the CDN list has one default entry', { tag: '@soak' }, async ({ page, open }) => {
  const settingsResponse = page.waitForResponse('**/wps/system/settings/consolidated');
  await open('/m/home');
  const { value } = (await (await settingsResponse).json()) as { value: { cdn: string[] } };
  expect(value.cdn).toEqual(['/m/']);
  const files = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ pathname }) => /\.(js|css)$/.test(pathname))
      .map(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/m/')),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(files).not.toContain(false);
});
