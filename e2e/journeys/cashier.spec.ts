import { App } from '../pages/app.ts';
import { Deposit } from '../pages/deposit.ts';
import { Play, slotAddress } from '../pages/play.ts';
import { Register } from '../pages/register.ts';
import { expectAccessible } from '../support/axe.ts';
import { newMember, password } from '../support/member.ts';
import { Desk } from '../support/operator.ts';
import { emvFields, readQr } from '../support/qr.ts';
import { expect, test } from '../support/test.ts';

// The wins appear on the winner board.
test.use({ leavesWins: true });

test.beforeAll(({ server }) => server.set('register.captcha', false));
test.afterAll(({ server }) => server.set('register.captcha', true));

test('PP-01 deposit part: a new member deposits at the gateway, and the balance changes without a reload', async ({
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
  // This mark in the page disappears with a reload.
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

test('PP-01 part: the balance after a deposit comes with an event: the page neither asks for it nor reloads', async ({
  page,
  open,
  server,
  request,
}) => {
  const session = await newMember(server, request);
  const created = await request.post('/wps/transaction/deposit/pg', {
    headers: { Authorization: session.token },
    data: { method: 'SANDBOX', amount: 500_000 },
  });
  const { reference } = ((await created.json()) as { value: { reference: string } }).value;
  const connected = page.waitForResponse(/\/wps\/events/);
  await open('/m/home', { session });
  const app = new App(page);
  await connected;
  await expect.poll(() => app.balanceValue()).toBe(0);
  // From now on only the open stream can bring news.
  await page.route(/\/wps\//, (route) => route.abort());
  await request.post(`/sandbox/pay/${reference}`, { form: { mode: 'pay' } });
  await expect.poll(() => app.balanceValue()).toBe(500_000);
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

test('OS-12 OS-21 PP-01 PP-08 part: from a deposit by bank transfer over a played round to a paid withdrawal, with an operator and without a reload', async ({
  page,
  open,
  server,
  request,
  browser,
}) => {
  await server.set('ops.two_person_above', 100_000_000);
  await server.set('withdraw.turnover_percent', 1);
  const session = await newMember(server, request);
  const headers = { Authorization: session.token };
  const payment = { paymentPassword: '246813', confirmPaymentPassword: '246813', password };
  const response = await request.put('/wps/member/paymentPassword', { headers, data: payment });
  expect(response.ok(), await response.text()).toBe(true);
  const operator = await server.createOperator(`desk${Date.now().toString(36)}`, 'finance', 'risk');

  const deposited = 500_000;
  await open('/m/voucherCenter', { session });
  const deposit = new Deposit(page);
  await deposit.method('Chuyển khoản').tap();
  await deposit.amount.fill(String(deposited));
  await deposit.button('Show the bank account').tap();
  await deposit.declineLimit.tap();
  await expect(page).toHaveURL(/\?deposit=\d+$/);
  await deposit.sendProof(await page.screenshot());
  await expect(
    deposit.main.getByRole('status').filter({ hasText: deposit.text('Being checked') }),
  ).toBeVisible();
  // This mark in the page disappears with a reload.
  const mark = () => page.evaluate(() => Object.assign(globalThis, { stillOpen: true }));
  const isMarked = () => page.evaluate(() => 'stillOpen' in globalThis);
  await mark();
  const desk = await Desk.open(browser, server, operator, '/console/deposits');
  await desk.page.getByRole('cell', { name: session.userName }).click();
  await expect(desk.page.getByRole('img', { name: 'Proof of payment' })).toBeVisible();
  await desk.act('Confirm');
  await desk.confirm();
  await expect(
    deposit.main.getByRole('heading', { name: deposit.text('Credited'), exact: true }),
  ).toBeVisible();
  await deposit.menuItem('Home').tap();
  await expect.poll(() => deposit.balanceValue()).toBe(deposited);
  expect(await isMarked()).toBe(true);

  await page.goto(slotAddress);
  const play = new Play(page);
  await play.expectReady();
  let balance = deposited;
  for (let staked = 0; staked < deposited / 100;) {
    const round = await play.spin();
    staked += round.stake;
    balance += round.win - round.stake;
  }
  await expect.poll(() => play.shownBalance()).toBe(balance);

  await page.goto('/m/withdraw');
  const app = new App(page);
  const button = (id: string) => app.main.getByRole('button', { name: app.text(id), exact: true });
  await app.main.getByRole('link', { name: app.text('Start the identity check') }).tap();
  await expect(page).toHaveURL('/m/member/kyc');
  await app.main.locator('input[name="name"]').fill('NGUYEN VAN AN');
  await app.main.locator('input[name="birthDate"]').fill('1992-03-04');
  await app.main.locator('input[name="documentNumber"]').fill('079092001234');
  const buffer = await page.screenshot();
  await app.main
    .locator('input[type="file"]')
    .setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer });
  await button('Send for checking').tap();
  await expect(app.main.getByText(app.text('We are checking your documents'))).toBeVisible();

  await desk.page.goto('/console/kyc');
  await desk.page.getByRole('cell', { name: session.userName }).click();
  await desk.act('Approve');
  await expect(app.main.getByText(app.text('Your identity is verified'))).toBeVisible();

  await app.main.getByRole('link', { name: app.text('Withdraw') }).tap();
  await app.main.getByRole('link', { name: app.text('Add a bank account to withdraw to') }).tap();
  await app.main.locator('select[name="bank"]').selectOption('VCB');
  await app.main.locator('input[name="number"]').fill('0011 0019 3241 8');
  await button('Add the account').tap();
  const enterPassword = async () => {
    const sheet = page.getByRole('dialog', { name: app.text('Payment password') });
    for (const digit of payment.paymentPassword)
      await sheet.getByRole('button', { name: digit, exact: true }).tap();
  };
  await enterPassword();
  await expect(page).toHaveURL('/m/withdraw');
  await app.main.locator('input[name="amount"]').fill('300000');
  await button('Continue').tap();
  await enterPassword();
  await expect(page).toHaveURL(/\?withdrawal=\d+$/);
  await mark();

  await desk.page.goto('/console/withdrawals');
  await desk.page.getByRole('cell', { name: session.userName }).click();
  await expect(desk.page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expectAccessible(desk.page);
  await desk.act('Approve');
  await expect(app.main.getByRole('status').getByText(app.text('Paid out'))).toBeVisible();
  expect(await isMarked()).toBe(true);
  await app.goTo('/m/home');
  await expect.poll(() => app.balanceValue()).toBe(balance - 300_000);
  await desk.close();
  await server.disableOperator(operator.name);
  await server.set('withdraw.turnover_percent', 100);
});
