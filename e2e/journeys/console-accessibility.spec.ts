import type { Page } from '@playwright/test';

import { screenPaths } from '../../web/console/testing/screen-paths.ts';
import { expectAccessible, expectNoViolationsInBothThemes, phone, speak } from '../support/axe.ts';
import { Desk } from '../support/operator.ts';
import { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** The screens of objects that the demo does not have. */
const withoutObject: readonly string[] = [
  '/withdrawals/:id',
  '/deposits/:id',
  '/kyc/:id',
  '/approvals/:id',
  '/chats/:id',
  '/replies/:id',
  '/feedback/:id',
  '/rounds/:id',
  '/rewards/:id',
  '/messages/:id',
  '/stuck/:id',
];

/** Returns the paths of all screens. A path with an id opens the first object of its list. */
async function pathsWithObjects(page: Page): Promise<string[]> {
  const paths: string[] = [];
  const missing: string[] = [];
  for (const path of screenPaths) {
    const [list, hasObject] = path.split(/\/:\w+$/);
    if (hasObject === undefined) {
      paths.push(path);
      continue;
    }
    const response = await page.request.get(`/ops/v1${list}`);
    expect(response.ok(), `${list}: ${await response.text()}`).toBe(true);
    const { value } = (await response.json()) as { value: { list: { id: string }[] } };
    const [first] = value.list;
    if (first) paths.push(`${list}/${encodeURIComponent(first.id)}`);
    else missing.push(path);
  }
  expect(missing, 'screens without an object').toEqual(withoutObject);
  return paths;
}

for (const { look, prepare } of [
  { look: 'in English on a desktop', prepare: async () => {} },
  {
    look: 'in Vietnamese on a phone',
    prepare: async (page: Page) => {
      await page.setViewportSize(phone);
      await speak(page, 'vi');
    },
  },
])
  test(
    `no screen of the console has an accessibility violation ${look}, in both themes`,
    { tag: '@soak' },
    async ({ browser }) => {
      test.setTimeout(1_800_000);
      const server = await Server.start();
      try {
        const operator = await server.createOperator('axe', 'owner');
        const desk = await Desk.open(browser, server, operator);
        const { page } = desk;
        const paths = await pathsWithObjects(page);
        await prepare(page);
        for (const path of paths)
          await test.step(path, async () => {
            await page.goto(`/console${path}`);
            await expectNoViolationsInBothThemes(page);
            const failure = page.getByText(
              /There is no such screen|This does not exist|The server reported an error/,
            );
            await expect(failure).toHaveCount(0);
          });
        await desk.close();
      } finally {
        await server.stop();
      }
    },
  );

test(
  'no screen of the login to the console has an accessibility violation, on a phone and on a desktop',
  { tag: '@soak' },
  async ({ browser, server }) => {
    test.setTimeout(600_000);
    const operator = await server.createOperator(`login${Date.now().toString(36)}`, 'auditor');
    const seen: string[] = [];
    const desk = await Desk.open(browser, server, operator, '/console', async (page) => {
      seen.push(await page.getByRole('main').innerText());
      await expectAccessible(page);
    });
    await desk.close();
    for (const text of ['Password', 'Scan this code', 'recovery codes', 'New password'])
      expect(
        seen.some((screen) => screen.includes(text)),
        `a screen with “${text}”`,
      ).toBe(true);
  },
);
