import { App } from '../pages/app.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

// A code for the registration needs the form's captcha, which this test does not solve.
test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

for (const [path, language] of [
  ['/dev/outbox', 'vi'],
  ['/m/dev/outbox', 'en'],
] as const) {
  test(
    `the developer of a demo reads its messages at ${path}, in ${language}`,
    tagOf(language),
    async ({ page, open, request, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await open(path, { language });
      const app = new App(page, language);
      await expect(app.title).toHaveText(app.text('Messages'));
      const number = `94${String(Date.now()).slice(-7)}`;
      const sendResponse = await request.post('/wps/verification/sms/noLogin', {
        data: { mobileNum: number, countryDialingCode: '84', purpose: 'register' },
      });
      expect(sendResponse.ok(), await sendResponse.text()).toBe(true);

      const message = app.main.getByRole('listitem').filter({ hasText: number });
      await expect(message).toBeVisible();
      await expect(message).toContainText('register_code');
      await app.expectMessage('Copied', () => message.getByRole('button').tap());
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{6}$/);
    },
  );
}
