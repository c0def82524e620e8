import { expect, type Page } from '@playwright/test';

import { GameList, Lobby } from '../pages/games.ts';
import type { Language } from '../support/text.ts';
import type { Screen } from './screen.ts';

export const gameScreens: Screen[] = [
  {
    name: 'the lobby of a member',
    path: '/m/game?category=RNG',
    member: true,
    expectReady: expectTiles,
  },
  {
    name: 'the lobby without its games',
    path: '/m/game?category=RNG',
    prepare: failGameList,
    expectReady: async (page, language) => expect(new Lobby(page, language).failure).toBeVisible(),
  },
  {
    name: 'favourites of a visitor',
    soakOnly: true,
    path: '/m/game?category=FAV',
    expectReady: async (page, language) =>
      expect(new Lobby(page, language).main.getByRole('link').last()).toBeVisible(),
  },
  {
    name: 'the game list',
    path: '/m/gameList?gameName=a&vassalage=JL,PG',
    expectReady: async (page, language) => expect(new GameList(page, language).count).toBeVisible(),
  },
  {
    name: 'the filters of the game list',
    path: '/m/gameList?vassalage=JL',
    overlay: true,
    reach: async (page) => new GameList(page).openFilters(),
    expectReady: async (page, language) =>
      expect(new GameList(page, language).apply).toContainText(/\d/),
  },
  {
    name: 'an empty game list',
    soakOnly: true,
    path: '/m/gameList?vassalage=JL&gameName=zzz',
    expectReady: async (page, language) =>
      expect(page.getByText(new GameList(page, language).text('No game found'))).toBeVisible(),
  },
  {
    name: 'the game list without its games',
    soakOnly: true,
    path: '/m/gameList',
    prepare: failGameList,
    expectReady: async (page, language) =>
      expect(new GameList(page, language).failure).toBeVisible(),
  },
  { name: 'the slots centre', soakOnly: true, path: '/m/slotsCenter', expectReady: expectTiles },
  {
    name: 'the game centre',
    soakOnly: true,
    path: '/m/gameCenter',
    expectReady: async (page) => expect(page.locator('a[href="/m/slotsCenter"]')).toBeVisible(),
  },
];

async function expectTiles(page: Page, language: Language): Promise<void> {
  await expect(new Lobby(page, language).tiles.first()).toBeVisible();
}

async function failGameList(page: Page): Promise<void> {
  await page.route('**/wps/relay/GCSGAME_gameList**', (route) =>
    route.fulfill({ status: 503, body: '{}' }),
  );
}
