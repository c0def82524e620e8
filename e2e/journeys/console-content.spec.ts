import { Desk } from '../support/operator.ts';
import { expect, test } from '../support/test.ts';

test('SE-03 part: an announcement edited in the console appears in the open app of a player', async ({
  page,
  open,
  login,
  browser,
  server,
}) => {
  const session = await login();
  await open('/m/notice');
  await page.evaluate(
    (items) => {
      for (const [key, value] of items) localStorage.setItem(key, String(value));
    },
    Object.entries({ ...session, merchantCode: 'fairground' }),
  );
  await page.reload();
  // This mark in the page disappears with a reload.
  await page.evaluate(() => Object.assign(globalThis, { stillOpen: true }));

  const editor = await server.createOperator(`editor${Date.now().toString(36)}`, 'content');
  const desk = await Desk.open(browser, server, editor, '/console/announcements/new');
  const console = desk.page;
  await console.getByLabel('Title (vi)').fill('Bảo trì tối nay');
  await console.getByLabel('Content (HTML) (vi)').fill('<p>Từ 23 giờ</p><script>alert(1)</script>');
  await expect(
    console.frameLocator('iframe[title="Preview"]').getByText('Từ 23 giờ'),
  ).toBeVisible();
  await console.getByLabel('Published').check();
  await console.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bảo trì tối nay').first()).toBeVisible();

  await console.getByLabel('Title (vi)').fill('Bảo trì đã xong');
  await console.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Bảo trì đã xong').first()).toBeVisible();
  expect(await page.evaluate(() => 'stillOpen' in globalThis)).toBe(true);
  await desk.close();
});
