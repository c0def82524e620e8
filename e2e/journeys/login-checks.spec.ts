// Logins that need more than a name and a password.
import { Login } from '../pages/login.ts';
import { captcha, Geetest, person } from '../support/geetest.ts';
import { Server } from '../support/server.ts';
import { demo, expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

const day = 24 * 60 * 60_000;

for (const language of ['vi', 'en'] as const) {
  test(
    `LG-06 Geetest’s puzzle runs in a frame without access to the app, in ${language}`,
    tagOf(language),
    async ({ page, open }) => {
      const geetest = await Geetest.start();
      const server = await Server.start(() => [
        `--geetest-id=${captcha.id}`,
        `--geetest-key=${captcha.key}`,
        `--geetest-url=${geetest.origin}/validate`,
        `--geetest-script=${geetest.origin}/gt4.js`,
        '--outgoing-allow=127.0.0.0/8',
      ]);
      try {
        await server.set('login.slider', true);
        await open(`${server.origin}/m/login`, { language });
        const login = new Login(page, language);
        await expect(page.getByText(login.text('Slider check'))).toBeVisible();
        await login.logIn(demo.name, demo.password);
        const dialog = page.getByRole('dialog', { name: login.text('Quick check') });
        // The frame moves up when the puzzle replaces its placeholder.
        await expect(dialog.locator('[aria-busy=true]')).toHaveCount(0);
        const frame = dialog.frameLocator('iframe');
        // Uses a click, because in a cross-process frame an emulated tap does not become a click (seen in Chromium 148).
        await frame.getByRole('button', { name: person }).click();
        await expect(login.logoutButton).toBeVisible();
        expect(geetest.checked).toHaveLength(1);
      } finally {
        await server.stop();
        await geetest.stop();
      }
    },
  );
}

test('CA-01 CA-20 a login is encrypted if the merchant requires it, also with a clock a day ahead, and the request works only once', async ({
  page,
  open,
}) => {
  const server = await Server.start();
  try {
    await server.set('login.encrypted', true);
    await page.clock.install({ time: Date.now() + day });
    const key = page.waitForResponse('**/wps/session/key');
    await open(`${server.origin}/m/login`);
    await key;
    const login = new Login(page);
    const loginResponse = page.waitForResponse(
      (response) => response.url().endsWith('/wps/session/login') && response.ok(),
    );
    await login.logIn(demo.name, demo.password);
    const sent = (await loginResponse).request();
    await expect(login.logoutButton).toBeVisible();
    expect(sent.headers()['encryption']).toBe('jwe');
    expect(Object.keys(sent.postDataJSON() as object)).toEqual(['data']);
    expect(sent.postData()).not.toContain(demo.password);

    const replay = await page.request.post(`${server.origin}/wps/session/login`, {
      headers: { Encryption: 'jwe' },
      data: sent.postDataJSON() as object,
    });
    expect(replay.ok()).toBe(false);
    expect(await replay.json()).toMatchObject({ errorCode: 'jwe.invalid' });
  } finally {
    await server.stop();
  }
});
