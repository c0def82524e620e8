// How a session ends without its member's doing, and the way back in.
import { App } from '../pages/app.ts';
import { Login } from '../pages/login.ts';
import { isAlive } from '../support/account.ts';
import { newMember, password } from '../support/member.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 60 * 60_000;

const where = '/m/member/vip';

/** A session that lay idle and one that is past its end, each in the languages it is met in. */
const runOut = [
  { why: 'was not used for a month', column: 'seen_at', language: 'vi' },
  { why: 'was not used for a month', column: 'seen_at', language: 'en' },
  { why: 'reached its end', column: 'expires_at', language: 'en' },
  { why: 'reached its end', column: 'expires_at', language: 'ur' },
] as const;

for (const { why, column, language } of runOut) {
  test(
    `ST-08 SE-01 a member whose session ${why} is told, and the login leads back, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await server.change(
        `UPDATE session SET ${column} = ${column} - ?
         WHERE member_id = (SELECT id FROM member WHERE account = ?)`,
        [column === 'seen_at' ? 30 * day : 400 * day, session.userName],
      );
      const app = new App(page, language);
      await app.told('Logged out, please log in again', () => open(where, { language, session }));
      await expect(page).toHaveURL(`/m/login?return=${encodeURIComponent(where)}`);
      await new Login(page, language).logIn(session.userName, password);
      await expect(page).toHaveURL(where);
      await expect(app.title).toHaveText(app.text('VIP'));
      expect(await isAlive(request, session.token)).toBe(false);
    },
  );
}

for (const language of ['vi', 'en', 'pt'] as const) {
  test(
    `SE-01 ST-08 a member whose account is closed is out at once, and back in once it is open again, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      const { userName: name } = session;
      await open(where, { language, session });
      const app = new App(page, language);
      await expect(app.title).toHaveText(app.text('VIP'));
      await app.told('Logged out, please log in again', () => server.disableMember(name));
      await expect(page).toHaveURL(`/m/login?return=${encodeURIComponent(where)}`);

      const login = new Login(page, language);
      await login.logIn(name, password);
      await expect(login.failure).toContainText(login.text('errors.login.locked'));
      await expect(login.username).toHaveValue(name);
      await expect(login.password).toHaveValue(password);

      await server.enableMember(name);
      await login.submit.tap();
      await expect(page).toHaveURL(where);
    },
  );
}
