import { Deposit } from '../pages/deposit.ts';
import { Register } from '../pages/register.ts';
import { expectAccessible, expectNoViolationsInBothThemes } from '../support/axe.ts';
import { newMember, password } from '../support/member.ts';
import { demoOwners, Desk } from '../support/operator.ts';
import { Server } from '../support/server.ts';
import { demo, expect, test } from '../support/test.ts';

test('the first operator sets up an authenticator and follows the first steps of a new site up to a credited test deposit', async ({
  browser,
  page,
  open,
}) => {
  const server = await Server.startEmpty();
  try {
    await server.set('register.captcha', false);
    const operator = await server.createOperator('first', 'owner');
    const desk = await Desk.open(browser, server, operator);
    const steps = desk.page.getByRole('region', { name: 'First steps' });
    await steps.getByLabel('Name of the site').fill('Lotus');
    await desk.act('Save the name');
    await desk.act('Install the House');
    await steps.getByRole('link', { name: 'Add a payment method' }).click();
    await desk.page.getByLabel('Code', { exact: true }).fill('bank');
    await desk.page.getByLabel('Name', { exact: true }).fill('Bank transfer');
    await desk.page.getByLabel('Minimum').fill('10');
    await desk.page.getByLabel('Maximum').fill('1000');
    const account = desk.page.getByRole('group', { name: 'Account 1' });
    await account.getByLabel('Code of the bank').fill('ICBC');
    await account.getByLabel('Name of the bank').fill('Bank of the test');
    await account.getByLabel('Account number, IBAN or key').fill('0011001932418');
    await account.getByLabel('Holder').fill('LOTUS');
    await desk.page.getByRole('button', { name: 'Create' }).click();
    await desk.confirm();
    await expect(desk.page).toHaveURL('/console/methods');
    await desk.page.goto('/console');
    await expect(steps.getByText('4. A test deposit')).toBeVisible();
    await expect(steps.getByRole('link', { name: 'Add a payment method' })).toHaveCount(0);

    await open(`${server.origin}/m/register`, { language: 'vi' });
    const register = new Register(page);
    await register.write({ username: 'tester', password, confirmPassword: password });
    await register.join();
    await page.goto(`${server.origin}/m/voucherCenter`);
    const deposit = new Deposit(page);
    await deposit.amount.fill('100');
    await deposit.button('Show the bank account').tap();
    await deposit.declineLimit.tap();
    await expect(deposit.detail('Account number')).toContainText('0011001932418');

    await steps.getByRole('link', { name: 'Deposits' }).click();
    await desk.page.getByRole('cell', { name: 'tester' }).click();
    await desk.act('Confirm');
    await expect(
      deposit.main.getByRole('heading', { name: deposit.text('Credited'), exact: true }),
    ).toBeVisible();
    const answer = desk.page.waitForResponse(/\/ops\/v1\/first-steps$/);
    await desk.page.goto('/console');
    expect(await (await answer).json()).toMatchObject({ value: { done: true } });
    await expect(steps).toHaveCount(0);
    await desk.close();
  } finally {
    await server.stop();
  }
});

test('SE-03 console part: an operator without rights neither sees nor opens other screens', async ({
  browser,
  server,
}) => {
  const auditor = await server.createOperator(`auditor${Date.now().toString(36)}`, 'auditor');
  const desk = await Desk.open(browser, server, auditor);
  const { page } = desk;
  const menu = page.getByRole('navigation');
  await expect(menu.getByRole('link', { name: 'Audit log' })).toBeVisible();
  await expect(menu.getByRole('link', { name: 'Operators' })).toHaveCount(0);
  await page.goto('/console/operators');
  await expect(page.getByText('There is no such screen, or you may not open it.')).toBeVisible();
  await desk.close();
});

test('SE-12 part: a correction waits for a second operator, and the first one cannot approve it', async ({
  browser,
  playwright,
}) => {
  const server = await Server.start();
  try {
    const request = await playwright.request.newContext({ baseURL: server.origin });
    const { userName } = await newMember(server, request);
    await request.dispose();
    const first = await Desk.open(browser, server, demoOwners[0], `/console/members?q=${userName}`);
    await first.page.getByRole('cell', { name: userName }).click();
    await expect(first.page).toHaveURL(/members\/\d+/);
    const id = /members\/(\d+)/.exec(first.page.url())![1]!;

    await first.page.goto('/console/transfers');
    await first.page.getByRole('button', { name: 'Correct a balance' }).click();
    const dialog = first.page.getByRole('dialog', { name: 'Correct a balance' });
    await dialog.getByLabel('Id of a member').fill(id);
    await dialog.getByLabel('Amount').fill('250000');
    await dialog.getByLabel('Reason').fill('a promised gift');
    await dialog.getByRole('button', { name: 'Correct a balance' }).click();
    await first.confirm();
    await dialog.getByRole('link', { name: 'Open the approval' }).click();
    await expect(
      first.page.getByText('You requested this change. Another operator must decide it.'),
    ).toBeVisible();
    await expect(first.page.getByRole('button', { name: 'Approve' })).toHaveCount(0);

    const second = await Desk.open(
      browser,
      server,
      demoOwners[1],
      new URL(first.page.url()).pathname,
    );
    await second.act('Approve');
    await second.confirm();
    await expect(second.page.getByRole('definition').getByText('owner2')).toBeVisible();
    // The first operator's screen changes without a reload.
    await expect(first.page.getByRole('definition').getByText('owner2')).toBeVisible();
    await first.page.goto(`/console/members/${id}`);
    await first.page.getByRole('tab', { name: 'Wallets' }).click();
    await expect(first.page.getByText('250,000').first()).toBeVisible();
    await Promise.all([first.close(), second.close()]);
  } finally {
    await server.stop();
  }
});

test('the main screens of the console have no accessibility violation, on a phone and on a desktop', async ({
  browser,
  server,
}) => {
  const operator = await server.createOperator(`axe${Date.now().toString(36)}`, 'owner');
  const desk = await Desk.open(browser, server, operator);
  const { page } = desk;
  for (const screen of ['', 'settings', 'announcements/new', 'members'])
    await test.step(`/console/${screen}`, async () => {
      await page.goto(`/console/${screen}`);
      await expectAccessible(page);
    });
  await page.getByRole('cell', { name: demo.name }).click();
  await expect(page).toHaveURL(/members\/\d+/);
  await expectAccessible(page);
  await desk.close();
  await server.disableOperator(operator.name);
});

test(
  'a chat and the messages next to a live stream have no accessibility violation in the console, in both themes',
  { tag: '@soak' },
  async ({ browser, playwright }) => {
    test.setTimeout(600_000);
    const server = await Server.start();
    try {
      const request = await playwright.request.newContext({ baseURL: server.origin });
      const { token, userName } = await newMember(server, request);
      const headers = { Authorization: token };
      const streams = await request.get('/wps/liveStreams', { headers });
      const { value } = (await streams.json()) as { value: { list: { id: string }[] } };
      const id = value.list[0]!.id;
      for (const path of ['/wps/chat/messages', `/wps/liveStreams/${id}/messages`]) {
        const data = { clientId: 'first', text: 'Is the match over?' };
        const sent = await request.post(path, { headers, data });
        expect(sent.ok(), await sent.text()).toBe(true);
      }
      await request.dispose();

      const desk = await Desk.open(browser, server, demoOwners[0], '/console/chats');
      const { page } = desk;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.getByRole('link', { name: userName }).click();
      await desk.act('Claim');
      await page.getByLabel('Message', { exact: true }).fill('No, it goes on.');
      await page.keyboard.press('Enter');
      const messages = page.getByRole('list', { name: 'Messages' });
      await expect(messages.locator('p[dir="auto"]')).toHaveCount(2);
      await expectNoViolationsInBothThemes(page);

      await page.goto(`/console/streams/${id}`);
      const talk = page.getByRole('region', { name: 'Messages' });
      await expect(talk.getByRole('link', { name: userName })).toBeVisible();
      await talk.getByLabel('Message', { exact: true }).fill('Be kind.');
      await page.keyboard.press('Enter');
      await expect(talk.getByText('Be kind.')).toBeVisible();
      await expectNoViolationsInBothThemes(page);
      await desk.close();
    } finally {
      await server.stop();
    }
  },
);
