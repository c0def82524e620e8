import type { Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { watchCalls } from '../pages/games.ts';
import { expect, test } from '../support/test.ts';

type Row = { simulated: boolean; vo: Record<string, unknown> };

/** Mocks a board whose rows are real rows with these changes. */
async function mockRows(page: Page, changes: Record<string, unknown>[]) {
  await page.route('**/wps/relay/GCSGAME_getRankList**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: { list: Row[] } };
    const { list } = body.value;
    const rows = changes.map((change, index) => {
      const row = list[index % list.length]!;
      return { ...row, vo: { ...row.vo, ...change } };
    });
    await route.fulfill({ response, json: { ...body, value: { ...body.value, list: rows } } });
  });
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ gameName: `Game ${i + 1}` }));

for (const [count, scrolls] of [
  [6, false],
  [7, true],
] as const) {
  test(
    `OS-04 scrolling part: a board of ${count} ${scrolls ? 'scrolls by itself' : 'does not scroll'}`,
    { tag: '@soak' },
    async ({ page, open }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      // Controls the page's clock, so that the test need not wait.
      await page.clock.install();
      await mockRows(page, rows(count));
      const front = new Front(page);
      await open('/m/winnerBoard');
      await expect(front.title).toHaveText(front.text('Winner board'));
      const list = front.main.getByRole('list', { name: front.text('Latest wins') });
      await expect(list.getByRole('listitem')).toHaveCount(count);
      const scrollRange = () => list.evaluate((ul) => ul.scrollHeight - ul.clientHeight);
      if (scrolls) {
        expect(await scrollRange()).toBeGreaterThan(1);
        await expect(async () => {
          await page.clock.runFor(2_600);
          expect(await list.evaluate((ul) => ul.scrollTop)).toBeGreaterThan(0);
        }).toPass({ timeout: 60_000 });
        await expect(front.button('Stop the movement')).toBeVisible();
      } else {
        expect(await scrollRange()).toBeLessThanOrEqual(1);
        await page.clock.runFor(10_000);
        expect(await list.evaluate((ul) => ul.scrollTop)).toBe(0);
        await expect(front.button('Stop the movement')).toHaveCount(0);
      }
    },
  );
}

test(
  'KO-03 the board’s part: the board requests 100 rows and shows at most 100',
  { tag: '@soak' },
  async ({ page, open }) => {
    const calls = watchCalls(page, 'GCSGAME_getRankList');
    await mockRows(page, rows(120));
    const front = new Front(page);
    await open('/m/winnerBoard');
    const list = front.main.getByRole('list', { name: front.text('Latest wins') });
    await expect(list.getByRole('listitem')).toHaveCount(100);
    await expect.poll(() => calls.map(({ query }) => query.get('limitNum'))).toEqual(['100']);
  },
);

test(
  'OS-04 EN-17 amount part: the symbol is before the amount for F and by default, and after it for B',
  { tag: '@soak' },
  async ({ page, open }) => {
    const win = { customerName: 'ab***9', vendor: 'JL', winAmount: 1234567, currencySymbol: '₫' };
    await mockRows(page, [
      { ...win, gameName: 'In front', position: 'F' },
      { ...win, gameName: 'Not said', position: '' },
      { ...win, gameName: 'Behind', position: 'B' },
    ]);
    const front = new Front(page);
    await open('/m/winnerBoard', { language: 'vi' });
    const row = (game: string) => front.main.getByRole('listitem').filter({ hasText: game });
    const amount = (game: string) => row(game).locator('bdi').filter({ hasText: '₫' });
    await expect(amount('In front')).toHaveText(/^₫\s*1\.234\.567$/);
    await expect(amount('Not said')).toHaveText(/^₫\s*1\.234\.567$/);
    await expect(amount('Behind')).toHaveText(/^1\.234\.567\s*₫$/);
    await expect(row('Behind').locator('img')).toBeVisible();
    await expect(row('Behind')).toContainText('ab***9');
    await expect(row('Behind')).toContainText('Jade Lantern');
  },
);

test(
  'LB-04 default image part: a default picture replaces a missing small picture too',
  { tag: '@soak' },
  async ({ page, open }) => {
    await page.route('**/art/tiles/**', (route) =>
      route.request().url().endsWith('/default.webp') ? route.fallback() : route.abort(),
    );
    await open('/m/winnerBoard');
    const winner = new Front(page).main.getByRole('listitem').first().locator('img');
    await expect(winner).toHaveAttribute('src', '/m/art/tiles/default.webp');
  },
);
