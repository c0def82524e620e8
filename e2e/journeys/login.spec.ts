import { Login } from '../pages/login.ts';
import { expect, test } from '../support/test.ts';

test('LG-05 the captcha is hidden until a failed login asks for it, and each failure and each tap bring another', async ({
  page,
  open,
  server,
}) => {
  await server.set('login.captcha_after', 1);
  await open('/m/login');
  const login = new Login(page);
  await expect(login.submit).toBeVisible();
  await expect(login.captcha).toHaveCount(0);

  await login.logIn('nobody77', 'Wrong1234');
  await expect(login.captcha).toBeFocused();
  await expect(login.failure).toContainText(login.text('errors.login.incorrect'));
  const first = await shown(login);

  await login.picture.tap();
  await expect(login.picture).not.toHaveAttribute('src', first);
  const second = await shown(login);

  // Without it nothing is sent; a wrong one is told under its field, and another picture comes.
  await login.submit.tap();
  await expect(page.getByText(login.text('Enter a captcha'))).toBeVisible();
  await login.captcha.fill('000000');
  await login.submit.tap();
  await expect(page.getByText(login.text('errors.captcha.incorrect'))).toBeVisible();
  await expect(login.picture).not.toHaveAttribute('src', second);
  await expect(login.captcha).toHaveValue('');
  await expect(login.username).toHaveValue('nobody77');
  await server.set('login.captcha_after', 10);
});

/** The picture that is seen, once it is. */
async function shown(login: Login): Promise<string> {
  await expect
    .poll(() => login.picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  return (await login.picture.getAttribute('src')) ?? '';
}
