import { Member } from '../pages/member.ts';
import { newGuest, newMember } from '../support/member.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

for (const language of ['vi', 'en', 'ur'] as const) {
  test(
    `RT-06 EN-04 the member centre shows the member and the balance, in ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, login }) => {
      const session = await login();
      await open('/m/home', { language, session });
      const member = new Member(page, language);
      const me = member.bottomMenu.getByRole('link', { name: member.text('Me'), exact: true });
      await me.tap();
      await expect(page).toHaveURL('/m/member/home');
      await expect(member.title).toHaveText(member.text('Member centre'));
      await expect(me).toHaveAttribute('aria-current', 'page');
      await expect(member.main.getByText('Minh Anh')).toBeVisible();
      await expect(member.main.getByText('demo88')).toBeVisible();
      await expect(member.main.getByText('VIP 3').first()).toBeVisible();
      await expect(member.shortcuts.getByRole('link')).toHaveCount(8);

      await expect(member.balanceAmount).toContainText('₫');
      await member.hideBalanceButton.tap();
      await expect(member.balanceAmount).toHaveText('••••••');
      await page.reload();
      await expect(member.balanceAmount).toHaveText('••••••');
      await member.hideBalanceButton.tap();
      await expect(member.balanceAmount).toContainText('₫');

      await member.settingsButton.tap();
      await expect(member.settingsSheet).toBeVisible();
      await member.settingsSheet
        .locator('label')
        .filter({ has: page.locator('input[value=light]') })
        .tap();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
      await page.goBack();
      await expect(member.settingsSheet).toBeHidden();
      await expect(page).toHaveURL('/m/member/home');

      await member.securityLink('email').tap();
      await expect(page).toHaveURL('/m/member/security?part=email');
      await expect(
        page.getByRole('dialog', { name: member.text('Add an e-mail address') }),
      ).toBeVisible();
      await page.goBack();
      await expect(page.getByRole('dialog')).toBeHidden();
      await page.goBack();
      await expect(page).toHaveURL('/m/member/home');

      await member.logOutButton.tap();
      await member.question
        .getByRole('button', { name: member.text('Log out'), exact: true })
        .tap();
      await expect(page).toHaveURL('/m/home');
      await expect(member.loginLink).toBeVisible();
    },
  );
}

test(
  'the member centre follows the language chosen in it',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    await open('/m/member/home', { language: 'vi', session: await newMember(server, request) });
    const vi = new Member(page, 'vi');
    await vi.settingsButton.tap();
    await vi.settingsSheet
      .locator('label')
      .filter({ has: page.locator('input[value=pt]') })
      .tap();
    const pt = new Member(page, 'pt');
    await expect(pt.settingsSheet).toBeVisible();
    await page.goBack();
    await expect(pt.title).toHaveText(pt.text('Member centre'));
  },
);

test('RO-03 member centre part: a guest is asked to register, and cannot open profile and security', async ({
  page,
  open,
  request,
}) => {
  const guest = await newGuest(request);
  await open('/m/member/home', { language: 'en', session: guest });
  const member = new Member(page, 'en');
  await expect(member.question).toContainText(member.text('You are playing as a guest'));
  await expect(page).toHaveURL('/m/home');
  for (const path of ['/m/member/profile', '/m/member/security']) {
    await member.expectMessage('Please login an actual account to use this function', async () => {
      await page.goto(path);
    });
    await expect(page).toHaveURL('/m/home');
  }
});

test(
  'RO-07 account part: the server refuses a guest the data of the screens that guests cannot open',
  { tag: '@soak' },
  async ({ request }) => {
    const { token } = await newGuest(request);
    const calls = [
      ['GET', '/wps/member/profile'],
      ['PUT', '/wps/member/profile', { nickname: 'Guest' }],
      ['GET', '/wps/member/security'],
      ['GET', '/wps/member/headIcon'],
      ['PUT', '/wps/member/headIcon', { preset: 'cat' }],
      ['GET', '/wps/member/securityQuestion'],
    ] as const;
    for (const [method, path, data] of calls) {
      const response = await request.fetch(path, {
        method,
        headers: { Authorization: token },
        ...(data && { data }),
      });
      expect(response.status(), path).toBe(403);
      expect(((await response.json()) as { errorCode: string }).errorCode).toBe(
        'member.trial_refused',
      );
    }
  },
);
