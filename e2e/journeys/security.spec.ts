import { Member } from '../pages/member.ts';
import { Security } from '../pages/security.ts';
import { logIn, newMember, password } from '../support/member.ts';
import { recordMessages } from '../support/messages.ts';
import { codeFor } from '../support/outbox.ts';
import { expect, test } from '../support/test.ts';
import { tagOf } from '../support/text.ts';

for (const language of ['vi', 'en'] as const) {
  test(
    `a mobile number and an e-mail address are bound by their codes, in ${language}`,
    tagOf(language),
    async ({ page, open, server, request }) => {
      const session = await newMember(server, request);
      await open('/m/member/home', { language, session });
      const security = new Security(page, language);
      await new Member(page, language).securityLink('mobile').tap();
      const number = `96${String(Date.now()).slice(-7)}`;
      await security.write({ mobileNum: `0${number}` });
      await security.requestCode();
      const code = await codeFor(server.origin, number);
      const wrong = code === '000000' ? '111111' : '000000';
      await security.write({ verificationCode: wrong, password });
      await security.save.tap();
      await expect(security.field('verificationCode')).toHaveAttribute('aria-invalid', 'true');
      await expect(security.field('verificationCode')).toBeFocused();
      await expect(security.field('mobileNum')).toHaveValue(`0${number}`);
      await security.write({ verificationCode: code });
      await security.save.tap();
      await expect(security.sheet).toBeHidden();
      await expect(security.row('Mobile number')).toContainText(`*${number.slice(-3)}`);

      await security.row('E-mail').tap();
      const email = `${session.userName}@example.com`;
      await security.write({ email });
      await security.requestCode();
      const emailCode = await codeFor(server.origin, email);
      await security.write({ verificationCode: emailCode, password: 'Wrong12345' });
      await security.save.tap();
      await expect(security.field('password')).toHaveAttribute('aria-invalid', 'true');
      await security.write({ password });
      await security.save.tap();
      await expect(security.sheet).toBeHidden();
      await expect(security.row('E-mail')).toContainText('***@example.com');

      await page.goto('/m/member/home');
      await expect(
        page.getByText(security.text('Set a payment password to raise it')),
      ).toBeVisible();
      await expect(page.getByText(security.text('Security: medium'))).toBeVisible();
    },
  );
}

test.describe('the security question', () => {
  test.beforeAll(({ server }) => server.set('security.ask', ['payment_password']));
  test.afterAll(({ server }) => server.set('security.ask', []));

  for (const language of ['vi', 'pt'] as const) {
    test(
      `OS-18 is set, and required where the merchant wants it, in ${language}`,
      tagOf(language),
      async ({ page, open, server, request }) => {
        const session = await newMember(server, request);
        await open('/m/member/security', { language, session });
        const security = new Security(page, language);
        await security.row('Security question').tap();
        await security.field('question').selectOption('birth_city');
        await security.write({ answer: 'Huế', password });
        await security.save.tap();
        await expect(security.sheet).toBeHidden();
        await expect(security.row('Security question')).toContainText(
          security.text('In which town were you born?'),
        );

        await security.row('Payment password').tap();
        await security.write({
          paymentPassword: '135790',
          confirmPaymentPassword: '123457',
          password,
        });
        await security.save.tap();
        await expect(security.field('confirmPaymentPassword')).toHaveAttribute(
          'aria-invalid',
          'true',
        );
        await security.write({ confirmPaymentPassword: '135790' });
        await expect(security.field('answer')).toHaveCount(0);
        await security.save.tap();
        await expect(security.field('answer')).toBeFocused();
        await expect(
          security.sheet.getByText(security.text('In which town were you born?')),
        ).toBeVisible();
        await security.write({ answer: 'Hội An' });
        await security.save.tap();
        await expect(
          security.sheet.getByText(security.text('errors.member.answer_wrong')),
        ).toBeVisible();
        await security.write({ answer: ' huế ' });
        await security.save.tap();
        await expect(security.sheet).toBeHidden();
        await expect(security.row('Payment password')).toContainText(security.text('Set'));

        await security.row('Payment password').tap();
        await security.write({
          oldPaymentPassword: '135790',
          paymentPassword: '246813',
          confirmPaymentPassword: '246813',
        });
        await security.save.tap();
        await security.write({ answer: 'Huế' });
        await security.save.tap();
        await expect(security.sheet).toBeHidden();
      },
    );
  }
});

for (const language of ['vi', 'en'] as const) {
  test(
    `another session is listed and ended, with a message there, in ${language}`,
    tagOf(language),
    async ({ page, open, server, request, browser }) => {
      const here = await newMember(server, request);
      const there = await logIn(request, here.userName);
      const other = await browser.newContext({ serviceWorkers: 'block' });
      try {
        await recordMessages(other);
        const phone = await other.newPage();
        await phone.addInitScript(
          (items) => {
            if (window.name === 'prepared') return;
            window.name = 'prepared';
            for (const [key, value] of items) localStorage.setItem(key, String(value));
          },
          Object.entries({ ...there, merchantCode: 'fairground', lang: language }),
        );
        await phone.goto(`${server.origin}/m/member/home`);
        const away = new Member(phone, language);
        await expect(away.logOutButton).toBeVisible();

        await open('/m/member/security', { language, session: here });
        const security = new Security(page, language);
        await expect(security.sessions).toHaveCount(2);
        await expect(security.sessions.getByText(security.text('This device'))).toHaveCount(1);
        await security.sessions
          .getByRole('button', { name: security.text('Log out'), exact: true })
          .tap();
        await away.expectMessage('Logged out, please log in again', () => security.confirmEnd());
        await expect(security.sessions).toHaveCount(1);
        await expect(
          page.getByText(security.text('You are logged in nowhere else.')),
        ).toBeVisible();
        await expect(phone).toHaveURL(/\/m\/login\?return=/);

        await logIn(request, here.userName);
        await logIn(request, here.userName);
        await page.reload();
        await expect(security.sessions).toHaveCount(3);
        await security.endOthers.tap();
        await security.confirmEnd();
        await expect(security.sessions).toHaveCount(1);
      } finally {
        await other.close();
      }
    },
  );
}
