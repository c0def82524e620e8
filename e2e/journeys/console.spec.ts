import { Desk } from '../support/operator.ts';
import { expect, test } from '../support/test.ts';

test('SE-03 console part: a role without rights neither sees nor opens other screens', async ({
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
