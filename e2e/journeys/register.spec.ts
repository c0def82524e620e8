import { Register } from '../pages/register.ts';
import { expect, test } from '../support/test.ts';

const password = { password: 'Ferris1234', confirmPassword: 'Ferris1234' };

/** A name that no other journey has taken. */
const newName = () => `rider${Date.now().toString(36)}${Math.random().toString(36).slice(2, 4)}`;

test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

for (const language of ['vi', 'en', 'ur', 'pt'] as const) {
  test(`RT-03 a visitor becomes a member by a username, in ${language}`, async ({ page, open }) => {
    await open(language === 'vi' ? '/m/register.html' : '/m/register', { language });
    const register = new Register(page, language);
    const username = newName().slice(0, 16);
    await register.write({ username: 'x', ...password });
    await register.submit.tap();
    await expect(page.getByText(register.text('errors.member.username_format'))).toBeVisible();
    await expect(register.field('username')).toBeFocused();
    await register.write({ username });
    await register.submit.tap();
    await expect(register.logoutButton).toBeVisible();
    await expect(page).toHaveURL('/m/home');
    expect(await page.evaluate(() => localStorage.getItem('userName'))).toBe(username);
  });
}

test('a visitor becomes a member by a mobile number and the code sent to it', async ({
  page,
  open,
  request,
}) => {
  await open('/m/register');
  const register = new Register(page);
  await register.tab('Mobile number').check({ force: true });
  const number = `98${String(Date.now()).slice(-7)}`;
  await expect(register.sendCode).toBeDisabled();
  await register.write({ mobileNum: `0${number}` });
  await register.sendCode.tap();
  await expect(register.sendCode).toHaveCount(0);
  let code = '';
  await expect
    .poll(async () => {
      const answer = await request.get('/wps/dev/outbox');
      const { value } = (await answer.json()) as { value: { to: string; text: string }[] };
      const message = value.find(({ to }) => to.endsWith(number));
      code = /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
      return code;
    })
    .toMatch(/^\d{6}$/);
  await register.write({ verificationCode: code, ...password });
  await register.submit.tap();
  await expect(register.logoutButton).toBeVisible();
});

test('the slider opens before anything is sent, and a miss brings another picture', async ({
  page,
  open,
  server,
}) => {
  await server.set('register.slider', true);
  await open('/m/register', { language: 'ur' });
  const register = new Register(page, 'ur');
  await register.write({ username: newName().slice(0, 16), ...password });
  await register.submit.tap();
  const picture = page.getByRole('dialog').locator('img').first();
  await expect(register.thumb).toBeVisible();
  const before = await picture.getAttribute('src');
  await register.thumb.focus();
  await page.keyboard.press('ArrowRight');
  await expect(register.thumb).toHaveAttribute('aria-valuenow', '4');
  await page.keyboard.press('Enter');
  await expect(page.getByText(register.text('errors.challenge.missed'))).toBeVisible();
  await expect(picture).not.toHaveAttribute('src', before ?? '');
  await server.set('register.slider', false);
});
