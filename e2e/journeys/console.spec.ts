import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { newMember } from '../support/member.ts';
import { demoOwners, Desk } from '../support/operator.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

test('the first operator sets up an authenticator and follows the first steps of a new site', async ({
  browser,
}) => {
  const server = await Server.startEmpty();
  try {
    const desk = await Desk.open(browser, server, await server.createOperator('first', 'owner'));
    const { page } = desk;
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByLabel('Name of the site').fill('Lotus');
    await desk.act('Save the name');
    await desk.act('Install the House');
    await steps.getByRole('link', { name: 'Add a payment method' }).click();
    await page.getByLabel('Code', { exact: true }).fill('bank');
    await page.getByLabel('Name', { exact: true }).fill('Bank transfer');
    await page.getByLabel('Minimum').fill('10000');
    await page.getByLabel('Maximum').fill('1000000');
    const account = page.getByRole('group', { name: 'Account 1' });
    await account.getByLabel('Code of the bank').fill('VCB');
    await account.getByLabel('Name of the bank').fill('Bank of the test');
    await account.getByLabel('BIN of the bank').fill('970436');
    await account.getByLabel('Account number, IBAN or key').fill('0011001932418');
    await account.getByLabel('Holder').fill('LOTUS');
    await page.getByLabel('Enabled').check({ force: true });
    await page.getByRole('button', { name: 'Create' }).click();
    await desk.confirm();
    await expect(page).toHaveURL('/console/methods');
    await page.goto('/console');
    await expect(steps.getByText('4. A test deposit')).toBeVisible();
    await expect(steps.getByRole('link', { name: 'Add a payment method' })).toHaveCount(0);
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

/** The screens of the console that no other test checks for accessibility. */
const screens = [
  '',
  'tasks',
  'withdrawals',
  'deposits',
  'kyc',
  'approvals',
  'members',
  'protection',
  'rounds',
  'promotions',
  'announcements',
  'announcements/new',
  'chats',
  'replies',
  'messages',
  'feedback',
  'streams',
  'games',
  'methods',
  'methods/new',
  'gateways',
  'vendors',
  'tables',
  'transfers',
  'ledger',
  'audit',
  'operators',
  'operators/roles',
  'settings',
  'health',
];

test(
  'no screen of the console has an accessibility violation, in both themes',
  { tag: '@soak' },
  async ({ browser }) => {
    test.setTimeout(600_000);
    const server = await Server.start();
    try {
      const desk = await Desk.open(browser, server, demoOwners[0]);
      const { page } = desk;
      await page.getByRole('navigation').waitFor();
      for (const screen of screens)
        await test.step(`/console/${screen}`, async () => {
          await page.emulateMedia({ reducedMotion: 'reduce' });
          await page.goto(`/console/${screen}`);
          await page.getByRole('main').waitFor();
          await expect(page.locator('.mantine-Loader-root:visible')).toHaveCount(0);
          await expectNoViolations(page, []);
          await page.getByRole('button', { name: 'Light theme' }).click();
          await expectNoViolations(page, ['color-contrast']);
          await page.getByRole('button', { name: 'Dark theme' }).click();
        });
      await desk.close();
    } finally {
      await server.stop();
    }
  },
);

/** Runs axe with the given rules, or with all rules if none are given. */
async function expectNoViolations(page: Page, rules: string[]): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (rules.length > 0) axe.withRules(rules);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  expect.soft(found, 'accessibility violations').toEqual([]);
}
