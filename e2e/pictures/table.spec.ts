import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { Table, tableAddress } from '../pages/table.ts';
import { changeLook } from '../support/look.ts';
import { newMember } from '../support/member.ts';
import { tables } from '../support/tables.ts';
import { expect, test, type Theme } from '../support/test.ts';
import type { Language } from '../support/text.ts';

const folder = join(import.meta.dirname, '../results/pictures/table');
const sizes = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 844, height: 390 },
] as const;

const looks: readonly [Language, Theme][] = [
  ['vi', 'dark'],
  ['en', 'light'],
  ['ur', 'dark'],
  ['pt', 'light'],
];

type Round = { id: string; phase: string; result: unknown } & Record<string, unknown>;
type TableResponse = { value: { now: number; round: Round } & Record<string, unknown> };

/** The start of each phase of the round in seconds from now, and the state of the member’s bet. */
const states = {
  betting: { phase: 'betting', phaseStarts: [-8, 12, 13, 22, 26], mine: null },
  closing: { phase: 'betting', phaseStarts: [-16, 4, 5, 14, 18], mine: null },
  locked: { phase: 'locked', phaseStarts: [-20.5, -0.5, 0.5, 9, 13], mine: 'placed' },
  dealing: { phase: 'dealing', phaseStarts: [-24, -4, -2.6, 6, 10], mine: 'placed' },
  won: { phase: 'result', phaseStarts: [-30, -10, -9, -1, 3], mine: 'won' },
  lost: { phase: 'result', phaseStarts: [-30, -10, -9, -1, 3], mine: 'lost' },
  waiting: { phase: 'waiting', phaseStarts: [4, 24, 25, 34, 38], mine: null },
  'called-off': { phase: 'void', phaseStarts: [-30, -10, -9, -1, 3], mine: 'refunded' },
} as const;

type State = keyof typeof states;

/** Mocks the table in a state. The clock does not advance. */
async function mockState(page: Page, { picture }: (typeof tables)[number], state: State) {
  const { spots, result } = picture;
  await page.addInitScript(() => {
    if (location.pathname.includes('/house')) performance.now = () => 1000;
  });
  await page.route('**/house/v1/table/events', () => {});
  await page.route('**/house/v1/table/mine*', (route) =>
    route.fulfill({ json: { success: true, value: { list: [], next: null } } }),
  );
  await page.route('**/house/v1/table', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as TableResponse;
    const { phase, phaseStarts, mine } = states[state];
    const { now, round } = body.value;
    const [opensAt, closesAt, dealAt, resultAt, endsAt] = phaseStarts.map((s) => now + s * 1000);
    const isKnown = phase === 'dealing' || phase === 'result';
    Object.assign(round, { phase, opensAt, closesAt, dealAt, resultAt, endsAt });
    Object.assign(round, { number: 39, result: isKnown ? result(state === 'lost' ? 1 : 0) : null });
    const total = 160_000;
    const bet = { id: '1', betId: 'a7f20000', spots: {}, total, status: mine, win: 0 };
    bet.spots = { [spots[0]]: 150_000, [spots[1]]: 10_000 };
    bet.win = { won: 292_500, refunded: total }[mine as string] ?? 0;
    const history = Array.from({ length: 38 }, (_, i) => ({ number: i + 1, result: result(i) }));
    const crowd = {
      players: 128,
      spots: {
        [spots[0]]: { players: 53, amount: 26_400_000 },
        [spots[1]]: { players: 9, amount: 900_000 },
      },
    };
    Object.assign(body.value, { history, crowd, mine: mine ? [bet] : [], balance: 12_340_500 });
    await route.fulfill({ response, json: body });
  });
}

async function takePictures(page: Page, name: string, chosenLooks = looks): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [language, theme] of chosenLooks) {
    await changeLook(page, language, theme);
    const game = page.frameLocator('main iframe').locator('html');
    await expect(game).toHaveAttribute('lang', language);
    await expect(game).toHaveAttribute('data-theme', theme);
    await game.evaluate(() => document.fonts.ready);
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      await page.screenshot({
        path: join(folder, `${name}-${language}-${theme}-${width}.png`),
        scale: 'css',
      });
    }
  }
}

const openTable = test.extend<{ openTable: (table: (typeof tables)[number]) => Promise<Table> }>({
  openTable: async ({ page, open, server, request }, use) => {
    await use(async ({ vendor, game }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const session = await newMember(server, request);
      await open('/m/game', { language: 'vi', theme: 'dark', session });
      await page.goto(tableAddress(vendor, game));
      const table = new Table(page, 'vi');
      await table.expectReady();
      return table;
    });
  },
});

for (const tableInfo of tables) {
  for (const state of Object.keys(states) as State[]) {
    openTable(
      `pictures: ${tableInfo.engine}, ${state}`,
      async ({ page, openTable: startTable }) => {
        await mockState(page, tableInfo, state);
        const table = await startTable(tableInfo);
        if (states[state].mine === null && state !== 'waiting') {
          const [first, second] = tableInfo.picture.spots;
          for (const spot of [first, first, second]) await table.spot(spot).tap();
        }
        await takePictures(
          page,
          `${tableInfo.engine}-${state}`,
          state === 'betting' ? looks : looks.slice(0, 1),
        );
      },
    );
  }

  openTable(
    `pictures: ${tableInfo.engine}, reconnecting`,
    async ({ page, openTable: startTable }) => {
      await mockState(page, tableInfo, 'betting');
      await page.route('**/house/v1/table/events', (route) => route.abort());
      const table = await startTable(tableInfo);
      await expect(table.frame.locator('.phase-card[data-kind=amber]')).toBeVisible();
      await takePictures(page, `${tableInfo.engine}-reconnecting`, looks.slice(0, 1));
    },
  );

  openTable(`pictures: ${tableInfo.engine}, a limit`, async ({ page, openTable: startTable }) => {
    await mockState(page, tableInfo, 'betting');
    await page.route('**/house/v1/table/bet', (route) =>
      route.fulfill({
        status: 403,
        json: { success: false, errorCode: 'house.limit_reached' },
      }),
    );
    const table = await startTable(tableInfo);
    await table.spot(tableInfo.picture.spots[0]).tap();
    await table.confirm.tap();
    await expect(table.frame.getByRole('alert')).toBeVisible();
    await takePictures(page, `${tableInfo.engine}-limit`, looks.slice(0, 1));
  });
}
