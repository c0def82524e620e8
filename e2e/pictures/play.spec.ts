import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Page } from '@playwright/test';

import { Play, slotAddress } from '../pages/play.ts';
import { changeLook } from '../support/look.ts';
import { newMember } from '../support/member.ts';
import { forceFreeRounds, forceWin } from '../support/spin.ts';
import { expect, test, type Session } from '../support/test.ts';
import { languages, type Language } from '../support/text.ts';

const folder = join(import.meta.dirname, '../results/pictures/play');
const sizes = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 844, height: 390 },
] as const;

const looks: { language: Language; theme: 'dark' | 'light' }[] = languages.flatMap((language) =>
  (['dark', 'light'] as const).map((theme) => ({ language, theme })),
);

async function takePictures(page: Page, state: string, chosenLooks = looks): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { language, theme } of chosenLooks) {
    await changeLook(page, language, theme);
    await page.evaluate(() => document.fonts.ready);
    // The game loads its language from a separate file.
    const game = page.frameLocator('main iframe').locator('html');
    if (await page.locator('main iframe').count())
      await expect(game).toHaveAttribute('lang', language);
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      await page.screenshot({
        path: join(folder, `${state}-${language}-${theme}-${width}.png`),
        scale: 'css',
      });
    }
  }
}

async function useTheme(page: Page, theme: string, rows: number): Promise<void> {
  await page.route('**/house/v1/session', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      value: { game: Record<string, unknown>; slot: Record<string, unknown> };
    };
    body.value.game['theme'] = theme;
    const ways = rows > 3 ? { kind: 'ways', lines: 0, ways: rows ** 5, paylines: [] } : {};
    Object.assign(body.value.slot, { rows, ...ways });
    await route.fulfill({ response, json: body });
  });
}

type OpenGame = { play: Play; session: Session };

const openGame = test.extend<{ openGame: (language?: Language) => Promise<OpenGame> }>({
  openGame: async ({ page, open, server, request }, use) => {
    await use(async (language = 'vi') => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const session = await newMember(server, request);
      await server.adjust(session.userName, 12_500_500);
      await open('/m/game', { language, session });
      await page.goto(slotAddress);
      const play = new Play(page, language);
      await play.expectReady();
      return { play, session };
    });
  },
});

openGame(
  'pictures: the game, waiting and after a round without a win',
  async ({ page, openGame: startGame }) => {
    const { play } = await startGame();
    await takePictures(page, 'playing');
    await forceWin(page, 0);
    await play.spin();
    await takePictures(page, 'no-win');
  },
);

for (const [theme, rows] of [
  ['dragon', 3],
  ['fruit', 3],
  ['ocean', 4],
  ['egypt', 4],
  ['jungle', 3],
  ['space', 4],
  ['tet', 3],
  ['sweets', 4],
] as const) {
  openGame(`pictures: the theme ${theme}`, async ({ page, openGame: startGame }) => {
    await useTheme(page, theme, rows);
    await startGame();
    await takePictures(page, `theme-${theme}`, [
      { language: 'vi', theme: 'dark' },
      { language: 'en', theme: 'light' },
    ]);
  });
}

for (const [state, win] of [
  ['win', 30_000],
  ['big-win', 1_250_000],
] as const) {
  openGame(`pictures: ${state}`, async ({ page, openGame: startGame }) => {
    const { play } = await startGame();
    await forceWin(page, win);
    await play.spin();
    await takePictures(page, state);
  });
}

openGame('pictures: free rounds', async ({ page, openGame: startGame }) => {
  const { play } = await startGame();
  await forceFreeRounds(page, 8);
  await play.spinButton.tap();
  await expect(play.frame.locator('.counter')).toBeVisible();
  await takePictures(page, 'free-rounds', looks.slice(0, 1));
});

openGame('pictures: no network', async ({ page, context, openGame: startGame }) => {
  await startGame();
  await context.setOffline(true);
  await expect(page.locator('main [role=alert], main [role=status]').first()).toBeVisible();
  await takePictures(page, 'offline', looks.slice(0, 2));
});

openGame('pictures: reconnecting', async ({ page, openGame: startGame }) => {
  const { play } = await startGame();
  await page.route('**/house/v1/spin', (route) => route.abort());
  await play.spinButton.tap();
  await expect(play.frame.locator('.card.amber')).toBeVisible();
  await takePictures(page, 'reconnecting');
});

openGame('pictures: reality check', async ({ page, openGame: startGame }) => {
  await startGame();
  await page.route('**/wps/game/play?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Record<string, unknown> };
    const now = Date.now();
    Object.assign(body.value, {
      startedAt: now - 1_800_000,
      now,
      staked: 1_240_000,
      returned: 1_155_000,
      net: -85_000,
      rounds: 124,
      realityCheck: { minutes: 30, dueAt: now - 1000 },
    });
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog')).first()).toBeVisible();
  await takePictures(page, 'reality-check');
});

for (const [state, code, status] of [
  ['limit', 'house.limit_reached', 403],
  ['excluded', 'house.excluded', 403],
  ['expired', 'house.session_expired', 401],
] as const) {
  openGame(`pictures: ${state}`, async ({ page, openGame: startGame }) => {
    const { play } = await startGame();
    await page.route('**/house/v1/spin', (route) =>
      route.fulfill({ status, json: { success: false, errorCode: code } }),
    );
    await play.spinButton.tap();
    await expect(
      state === 'expired' ? play.main.getByRole('alert') : play.frame.getByRole('alert'),
    ).toBeVisible();
    await takePictures(page, state);
  });
}

for (const [state, code] of [
  ['maintenance', 'vendor.maintenance'],
  ['on-a-break', 'limits.excluded'],
  ['not-open', 'vendor.not_open'],
] as const) {
  test(`pictures: ${state}`, async ({ page, open, login }) => {
    await page.route('**/wps/game/launchGame', (route) =>
      route.fulfill({ status: 403, json: { success: false, errorCode: code } }),
    );
    await open(slotAddress, { language: 'vi', session: await login() });
    await expect(page.locator('main [role=alert]')).toBeVisible();
    await takePictures(page, state);
  });
}

test('pictures: starting', async ({ page, open, login }) => {
  await page.route('**/wps/game/launchGame', () => {});
  await open(slotAddress, { language: 'vi', session: await login() });
  await expect(page.locator('main [role=status]').first()).toBeVisible();
  await takePictures(page, 'starting');
});

test('pictures: did not start', async ({ page, open, login }) => {
  await page.route('**/house/v1/**', (route) => route.abort());
  await open(slotAddress, { language: 'vi', session: await login() });
  await expect(page.locator('main [role=alert]')).toBeVisible();
  await takePictures(page, 'failed', looks.slice(0, 2));
});

test('pictures: a blocked popup', async ({ page, open, login }) => {
  await page.addInitScript(() => Object.assign(window, { open: () => null }));
  await page.route('**/wps/game/launchGame', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Record<string, unknown> };
    body.value = { ...body.value, mode: 'window', gameUrl: 'https://games.example/' };
    await route.fulfill({ response, json: body });
  });
  await open(slotAddress, { language: 'vi', session: await login() });
  await expect(page.getByRole('button').first()).toBeVisible();
  await takePictures(page, 'blocked');
});
