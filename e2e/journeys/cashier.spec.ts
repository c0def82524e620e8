import { Deposit } from '../pages/deposit.ts';
import { Register } from '../pages/register.ts';
import { newMember } from '../support/member.ts';
import { emvFields, readQr } from '../support/qr.ts';
import { expect, test } from '../support/test.ts';

test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

test('PP-01 deposit part: a new member deposits at the gateway, and the balance follows without a reload', async ({
  page,
  open,
}) => {
  await open('/m/register');
  const register = new Register(page);
  const username = `payer${Date.now().toString(36)}`.slice(0, 16);
  await register.write({ username, password: 'Ferris1234', confirmPassword: 'Ferris1234' });
  await register.join();
  await expect(page).toHaveURL('/m/home');

  const deposit = new Deposit(page);
  await deposit.menuItem('Deposit').tap();
  await expect(page).toHaveURL('/m/voucherCenter');
  await deposit.method('Sandbox').tap();
  await deposit.amount.fill('500000');
  // A mark in the page shows that it was not loaded again.
  await page.evaluate(() => Object.assign(globalThis, { stillOpen: true }));
  await deposit.button('Continue to payment').tap();
  await deposit.declineLimit.tap();
  await expect(page).toHaveURL(/\?deposit=\d+$/);

  const gateway = await deposit.openPaymentPage();
  await gateway.getByRole('button', { name: 'Pay', exact: true }).tap();
  await expect(gateway.getByText('paid', { exact: true })).toBeVisible();
  await gateway.close();

  await expect(
    deposit.main.getByRole('heading', { name: deposit.text('Credited'), exact: true }),
  ).toBeVisible();
  await expect(deposit.main.getByText(/500\.000/)).toHaveCount(2);
  expect(await page.evaluate(() => 'stillOpen' in globalThis)).toBe(true);
  await deposit.menuItem('Home').tap();
  await expect.poll(() => deposit.balanceValue()).toBe(500_000);
});

test('OS-12 part: the VietQR code has the account, the amount and the reference', async ({
  page,
  open,
  server,
  request,
  browser,
}) => {
  await open('/m/voucherCenter', { session: await newMember(server, request) });
  const deposit = new Deposit(page);
  await deposit.method('VietQR').tap();
  await deposit.amount.fill('1234567');
  await deposit.button('Make the payment code').tap();
  await deposit.declineLimit.tap();
  await expect(deposit.code).toBeVisible();
  const account = await deposit.detail('Account number').innerText();
  const reference = await deposit.detail('Transfer note').locator('bdi').innerText();

  const fields = emvFields(await readQr(browser, deposit.code));
  const receiver = emvFields(fields.get('38') ?? '');
  const bank = emvFields(receiver.get('01') ?? '');
  expect(receiver.get('00')).toBe('A000000727');
  expect(bank.get('01')).toBe(account.trim());
  expect(fields.get('54')).toBe('1234567');
  expect(emvFields(fields.get('62') ?? '').get('08')).toBe(reference.trim());
});
