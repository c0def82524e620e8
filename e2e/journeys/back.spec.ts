import { App } from '../pages/app.ts';
import { Home } from '../pages/home.ts';
import { Login } from '../pages/login.ts';
import { Menu } from '../pages/menu.ts';
import { demo, expect, test } from '../support/test.ts';

test('going back closes the menu or a dialog and stays on the screen', async ({
  page,
  open,
  login,
}) => {
  await open('/m/help', { session: await login() });
  const menu = new Menu(page);
  await menu.header.getByRole('button', { name: menu.text('Back') }).tap();
  await expect(page).toHaveURL('/m/home');

  await menu.open();
  await page.goBack();
  await expect(menu.panel).toHaveCount(0);
  await expect(page).toHaveURL('/m/home');

  await menu.logoutButton.tap();
  await expect(menu.question).toBeVisible();
  await page.goBack();
  await expect(menu.question).toHaveCount(0);
  await expect(page).toHaveURL('/m/home');
  await expect(menu.balance).toBeVisible();
});

test(
  'a screen opened from the menu is one step in the history',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/home');
    const menu = new Menu(page);
    await menu.open();
    await menu.panel.getByRole('link', { name: menu.text('Help center') }).tap();
    await expect(page).toHaveURL('/m/help');
    await expect(menu.panel).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL('/m/home');
    await expect(menu.panel).toHaveCount(0);
  },
);

test(
  'going back after the login does not return to the login',
  { tag: '@soak' },
  async ({ page, open }) => {
    await open('/m/help');
    const app = new App(page);
    await app.header.getByRole('button', { name: app.text('Back') }).tap();
    await expect(page).toHaveURL('/m/home');
    const steps = await page.evaluate(() => history.state.depth);
    await app.loginLink.tap();
    await new Login(page).logIn(demo.name, demo.password);
    await expect(app.balance).toBeVisible();
    await expect(page).toHaveURL('/m/home');
    expect(await page.evaluate(() => history.state.depth)).toBe(steps);
  },
);

test('the shortcut to the hot games scrolls to them', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await open('/m/home?category=RNG');
  const home = new Home(page);
  await expect(home.tiles.first().or(page.getByRole('article').first())).toBeVisible();
  await page
    .getByRole('navigation', { name: home.text('Shortcuts') })
    .getByRole('link', { name: home.text('Hot games') })
    .tap();
  await expect(page).toHaveURL('/m/home?category=HOT');
  const heading = page.getByRole('heading', { name: home.text('Hot games'), exact: true });
  await expect.poll(async () => (await heading.boundingBox())?.y ?? 999).toBeLessThan(90);
  expect((await heading.boundingBox())!.y).toBeGreaterThan(49);
});

test(
  'a long name is truncated, and the menu keeps its width',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    await page.route('**/wps/member/info', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { value: { nickname: string } };
      body.value.nickname = 'N'.repeat(40);
      await route.fulfill({ response, json: body });
    });
    await open('/m/home', { session: await login() });
    const menu = new Menu(page);
    await menu.open();
    await expect(menu.panel.getByText('N'.repeat(40))).toBeVisible();
    const overflowing = await menu.panel.evaluate(
      (panel) =>
        [...panel.querySelectorAll('*')].filter(
          (element) =>
            getComputedStyle(element).overflowX !== 'visible' &&
            getComputedStyle(element).overflowX !== 'hidden' &&
            element.scrollWidth > element.clientWidth,
        ).length,
    );
    expect(overflowing).toBe(0);
  },
);

test(
  'after a logout no request uses the old token',
  { tag: '@soak' },
  async ({ page, open, login }) => {
    const unauthorized: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 401) unauthorized.push(response.url());
    });
    await page.clock.install();
    await open('/m/home', { session: await login() });
    const app = new App(page);
    await expect(app.balance).toBeVisible();
    await app.logOut();
    await expect(app.loginLink).toBeVisible();
    await page.clock.runFor(5_000);
    // All earlier requests get their responses before this one.
    await page.evaluate(async () => void (await fetch('/wps/system/status')));
    expect(unauthorized).toEqual([]);
  },
);

test('the back arrow of the login restores the scroll position of home, and leaves no login in the history', async ({
  page,
  open,
}) => {
  await open('/m/help');
  const home = new Home(page);
  await home.header.getByRole('button', { name: home.text('Back') }).tap();
  await expect(home.tiles).toHaveCount(21);
  const depth = await page.evaluate(() => history.state.depth);
  await page.evaluate(() => window.scrollTo(0, 600));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600);
  await home.loginLink.tap();
  await expect(new Login(page).submit).toBeVisible();
  await home.main.getByRole('button', { name: home.text('Back') }).tap();
  await expect(page).toHaveURL('/m/home');
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600);
  expect(await page.evaluate(() => history.state.depth)).toBe(depth);
});

test('a double tap on the back arrow goes back only one step', async ({ page, open }) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  const menu = new Menu(page);
  await menu.open();
  await menu.panel.getByRole('link', { name: menu.text('Help center') }).tap();
  await expect(page).toHaveURL('/m/help');
  await menu.open();
  await menu.panel.getByRole('link', { name: menu.text('Betting record') }).tap();
  await expect(page).toHaveURL(/\/m\/login/);
  await page.goBack();
  await expect(page).toHaveURL('/m/help');
  await menu.open();
  await menu.panel.getByRole('link', { name: menu.text('Download app') }).tap();
  await expect(page).toHaveURL('/m/app');
  await expect(menu.panel).toBeHidden();
  await expect(app.main.getByRole('button', { name: app.text('Back') })).toBeVisible();
  // Clicks twice within one task. Separate taps could be far apart on a busy machine, and a loading screen replaces the bar.
  await page.evaluate((name) => {
    const steps: string[] = [];
    Object.assign(window, { steps });
    addEventListener('popstate', () => steps.push(location.pathname));
    const arrow = document.querySelector<HTMLElement>(`main button[aria-label="${name}"]`);
    arrow?.click();
    arrow?.click();
  }, app.text('Back'));
  await expect(app.title).toHaveText(app.text('Help center'));
  expect(await page.evaluate(() => (window as unknown as { steps: string[] }).steps)).toEqual([
    '/m/help',
  ]);
  await expect(page).toHaveURL('/m/help');
});

test('a reload keeps the scroll position', async ({ page, open }) => {
  await open('/m/home');
  const home = new Home(page);
  await expect(home.tiles).toHaveCount(21);
  // Scroll anchoring may move the position a little.
  const isNear = async () => Math.abs((await page.evaluate(() => window.scrollY)) - 900) < 60;
  await page.evaluate(() => window.scrollTo(0, 900));
  await expect.poll(isNear).toBe(true);
  await page.reload();
  await expect(home.tiles).toHaveCount(21);
  await expect.poll(isNear).toBe(true);
});

test('the skip link adds no step to the history', { tag: '@soak' }, async ({ page, open }) => {
  await open('/m/home');
  const app = new App(page);
  await expect(app.loginLink).toBeVisible();
  const steps = await page.evaluate(() => history.length);
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: app.text('Skip to the content') });
  await expect(skip).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(app.main).toBeFocused();
  await expect(page).toHaveURL('/m/home');
  expect(await page.evaluate(() => history.length)).toBe(steps);
});
