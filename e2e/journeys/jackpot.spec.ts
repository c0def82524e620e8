import type { APIRequestContext } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { inGate } from '../support/tag.ts';
import { expect, test } from '../support/test.ts';

// These tests play rounds, which change the pool.
test.use({ leavesWins: true });

type Pool = { amount: number; seed: number; draws: number; commitment: string };

async function read<T>(request: APIRequestContext, path: string, token = ''): Promise<T> {
  const response = await request.get(path, { headers: token ? { Authorization: token } : {} });
  return ((await response.json()) as { value: T }).value;
}

const digits = (text: string): number => Number(text.replaceAll(/\D/g, ''));

for (const language of ['vi', 'ur'] as const) {
  test(
    `HM-09 PP-13 home shows the pool under games that can win it, and under no others: ${language}`,
    inGate(language === 'vi'),
    async ({ page, open, request }) => {
      const front = new Front(page, language);
      await open('/m/home', { language });
      await expect(front.tiles).toHaveCount(21);
      await front.scrollToEnd();
      const jackpot = front.block('Jackpot');
      const counters = jackpot.locator('li bdi[dir=ltr]').filter({ hasText: /₫/ });
      await expect(counters.first()).toBeVisible();
      // The stake of an earlier round may not have reached the pool yet.
      await expect
        .poll(async () => {
          const { amount } = await read<Pool>(request, '/wps/jackpot/pool');
          return digits(await counters.first().innerText()) - amount;
        })
        .toBe(0);
      await expect(front.caption(jackpot)).toHaveCount(0);
      await expect(page.locator('[data-simulated]').and(jackpot.locator('*'))).toHaveCount(0);
      const live = front.block('local_hot_live');
      await live.scrollIntoViewIfNeeded();
      await expect(live.getByRole('article').first()).toBeVisible();
      await expect(live.getByText(/₫/)).toHaveCount(0);
    },
  );
}

test(
  'PP-13 KO-02 a stake grows the pool by its share, and its draw links to its proof',
  { tag: '@soak' },
  async ({ page, open, login, request }) => {
    const front = new Front(page, 'en');
    const session = await login();
    await open('/m/jackpot', { language: 'en', session });
    const card = front.block('Jackpot').first();
    const shownAmount = card.locator('bdi[dir=ltr]').first();
    let before: Pool = { amount: 0, seed: 0, draws: 0, commitment: '' };
    await expect
      .poll(async () => {
        before = await read<Pool>(request, '/wps/jackpot/pool', session.token);
        return digits(await shownAmount.innerText()) - before.amount;
      })
      .toBe(0);
    for (const label of [
      'Began with',
      'Share of each stake',
      'Chance',
      'Counts of one stake at most',
      'Wins in 24 hours at most',
      'Grows to at most',
    ]) {
      await expect(card.getByText(front.text(label), { exact: true })).toBeVisible();
    }
    await expect(card.getByText(front.text('Grows by'), { exact: true })).toHaveCount(0);
    await expect(front.main.getByText(before.commitment)).toBeVisible();
    const stake = await spin(request, session.token);

    const expected = before.amount + Math.floor(stake / 100);
    await expect
      .poll(async () => digits(await shownAmount.innerText()), { timeout: 60_000 })
      .toBe(expected);

    await page.reload();
    const ownDraw = front.block('Your draws').getByRole('listitem').first();
    await expect(ownDraw).toContainText(`draw ${before.draws + 1}`);
    await ownDraw.getByRole('link', { name: front.text('Check') }).tap();
    await expect(page).toHaveURL(/\/m\/fairness\?currency=VND&series=1&draw=\d+$/);
    // The seed is secret until the pool is won. Its commitment is public.
    await expect(page.getByText(front.text('This series still runs'))).toBeVisible();
    const code = page.getByLabel(front.text('Commitment'), { exact: true });
    await expect
      .poll(async () => (await code.innerText()).replaceAll(/\s/g, ''))
      .toBe(before.commitment);
  },
);

/** Plays one round of a demo slot, and returns the stake. */
async function spin(request: APIRequestContext, token: string): Promise<number> {
  const headers = { Authorization: token };
  const list = await read<{ games: Record<string, string>[] }>(
    request,
    '/wps/relay/GCSGAME_gameList?gameCategory=RNG',
  );
  const game = list.games[0]!;
  const launchResponse = await request.post('/wps/game/launchGame', {
    headers,
    data: {
      gameCategory: game.gameCategory,
      vendor: game.vendorCode,
      gameId: game.gameId,
      nodeId: game.nodeId,
      supportPlay: true,
    },
  });
  const { gameUrl } = ((await launchResponse.json()) as { value: { gameUrl: string } }).value;
  const ticket = new URLSearchParams(new URL(gameUrl, 'http://x').search).get('t');
  const sessionResponse = await request.post('/house/v1/session', { data: { ticket } });
  const frame = (
    (await sessionResponse.json()) as { value: { token: string; slot: { stakes: number[] } } }
  ).value;
  const stake = frame.slot.stakes[0]!;
  const spinResponse = await request.post('/house/v1/spin', {
    headers: { Authorization: frame.token },
    data: { spinId: crypto.randomUUID(), stake },
  });
  expect(spinResponse.ok(), await spinResponse.text()).toBe(true);
  return stake;
}
