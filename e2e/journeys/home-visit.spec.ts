import { Front } from '../pages/front.ts';
import { GameList, Lobby } from '../pages/games.ts';
import { Login } from '../pages/login.ts';
import { Play, slotAddress } from '../pages/play.ts';
import { Register } from '../pages/register.ts';
import { Trial } from '../pages/trial.ts';
import { expect, test } from '../support/test.ts';

test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

test('RO-11 a visitor browses games, searches, reads a notice, registers, logs in and starts a trial', async ({
  page,
  open,
}) => {
  await open('/m/home');
  const front = new Front(page);
  await expect(front.tiles).toHaveCount(21);

  await front.goTo('/m/game');
  await expect(new Lobby(page).tiles.first()).toBeVisible();

  await front.goTo('/m/gameList');
  const list = new GameList(page);
  await list.search.fill('Pharaoh');
  await expect(list.tiles.first()).toContainText('Pharaoh');

  await front.goTo('/m/notice');
  const notice = front.main.getByRole('listitem').first().getByRole('button');
  await notice.tap();
  await expect(notice).toHaveAttribute('aria-expanded', 'true');

  await front.goTo('/m/register');
  const username = `visitor${Date.now().toString(36)}`;
  const password = 'Ferris1234';
  const register = new Register(page);
  await register.write({ username, password, confirmPassword: password });
  expect(await register.join()).toBe(username);
  await expect(page).toHaveURL('/m/home');
  await register.logOut();
  await expect(register.loginLink).toBeVisible();

  await register.loginLink.tap();
  await expect(page).toHaveURL('/m/login');
  const login = new Login(page);
  await login.logIn(username, password);
  await expect(login.balance).toBeVisible();
  await login.logOut();
  await expect(login.loginLink).toBeVisible();

  await front.goTo('/m/trail');
  const trial = new Trial(page);
  await trial.age.check({ force: true });
  await trial.start.tap();
  await expect(page).toHaveURL('/m/home');
  await expect(trial.playMoney).toBeVisible();
});

test('GL-09 phone part: the launcher covers the whole viewport, without header and bottom menu', async ({
  page,
  open,
  login,
}) => {
  await open(slotAddress, { session: await login() });
  const play = new Play(page);
  await play.expectReady();
  await expect(play.header).toHaveCount(0);
  await expect(play.bottomMenu).toHaveCount(0);
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect
      .poll(async () => {
        const bar = (await play.bar.boundingBox())!;
        const frame = (await page.locator('main iframe').boundingBox())!;
        return [bar.y, Math.min(bar.x, frame.x), frame.x + frame.width, frame.y + frame.height];
      })
      .toEqual([0, 0, width, height]);
    const scrollHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
    await expect.poll(scrollHeight).toBe(height); // the layout changes shortly after a rotation
  }
});
