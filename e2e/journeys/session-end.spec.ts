// Sessions that end without a logout, and the login afterwards.
import { App } from '../pages/app.ts';
import { Login } from '../pages/login.ts';
import { isAlive } from '../support/account.ts';
import { newMember, password } from '../support/member.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 60 * 60_000;

const screenPath = '/m/member/vip';

const endings = [
  { reason: 'was not used for a month', column: 'seen_at', language: 'vi' },
  { reason: 'was not used for a month', column: 'seen_at', language: 'en' },
  { reason: 'expired', column: 'expires_at', language: 'en' },
  { reason: 'expired', column: 'expires_at', language: 'ur' },
] as const;

for (const { reason, column, language } of endings) {
  test(
    `ST-08 SE-01 a member whose session ${reason} sees a message, and the login returns to the screen, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await server.updateRow(
        `UPDATE session SET ${column} = ${column} - ?
         WHERE member_id = (SELECT id FROM member WHERE account = ?)`,
        [column === 'seen_at' ? 30 * day : 400 * day, session.userName],
      );
      const app = new App(page, language);
      await app.expectMessage('Logged out, please log in again', () =>
        open(screenPath, { language, session }),
      );
      await expect(page).toHaveURL(`/m/login?return=${encodeURIComponent(screenPath)}`);
      await new Login(page, language).logIn(session.userName, password);
      await expect(page).toHaveURL(screenPath);
      await expect(app.title).toHaveText(app.text('VIP'));
      expect(await isAlive(request, session.token)).toBe(false);
    },
  );
}

for (const language of ['vi', 'en', 'pt'] as const) {
  test(
    `SE-01 ST-08 disabling the account logs the member out immediately, and after enabling it the login works, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      const { userName: name } = session;
      await open(screenPath, { language, session });
      const app = new App(page, language);
      await expect(app.title).toHaveText(app.text('VIP'));
      await app.expectMessage('Logged out, please log in again', () => server.disableMember(name));
      await expect(page).toHaveURL(`/m/login?return=${encodeURIComponent(screenPath)}`);

      const login = new Login(page, language);
      await login.logIn(name, password);
      await expect(login.failure).toContainText(login.text('errors.login.locked'));
      await expect(login.username).toHaveValue(name);
      await expect(login.password).toHaveValue(password);

      await server.enableMember(name);
      await login.submit.tap();
      await expect(page).toHaveURL(screenPath);
    },
  );
}
