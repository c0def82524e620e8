import { expect, type Page } from '@playwright/test';

import { GameList, Lobby } from '../pages/games.ts';
import type { Language } from '../support/text.ts';
import type { Screen } from './screen.ts';

/** The lobby, the list and the centres, in the states that they can be in. */
export const gameScreens: Screen[] = [
  {
    name: 'the lobby of a member',
    path: '/m/game?category=RNG',
    member: true,
    stands: tilesStand,
  },
  {
    name: 'the lobby without its games',
    path: '/m/game?category=RNG',
    prepare: refuseGames,
    stands: async (page, language) => expect(new Lobby(page, language).failure).toBeVisible(),
  },
  {
    name: 'favourites of a visitor',
    soak: true,
    path: '/m/game?category=FAV',
    stands: async (page, language) =>
      expect(new Lobby(page, language).main.getByRole('link').last()).toBeVisible(),
  },
  {
    name: 'the game list',
    path: '/m/gameList?gameName=a&vassalage=JL,PG',
    stands: async (page, language) => expect(new GameList(page, language).count).toBeVisible(),
  },
  {
    name: 'the filters of the game list',
    path: '/m/gameList?vassalage=JL',
    over: true,
    reach: async (page) => new GameList(page).openFilters(),
    stands: async (page, language) =>
      expect(new GameList(page, language).apply).toContainText(/\d/),
  },
  {
    name: 'an empty game list',
    soak: true,
    path: '/m/gameList?vassalage=JL&gameName=zzz',
    stands: async (page, language) =>
      expect(page.getByText(new GameList(page, language).text('No game found'))).toBeVisible(),
  },
  {
    name: 'the game list without its games',
    soak: true,
    path: '/m/gameList',
    prepare: refuseGames,
    stands: async (page, language) => expect(new GameList(page, language).failure).toBeVisible(),
  },
  { name: 'the slots centre', soak: true, path: '/m/slotsCenter', stands: tilesStand },
  {
    name: 'the game centre',
    soak: true,
    path: '/m/gameCenter',
    stands: async (page) => expect(page.locator('a[href="/m/slotsCenter"]')).toBeVisible(),
  },
];

async function tilesStand(page: Page, language: Language): Promise<void> {
  await expect(new Lobby(page, language).tiles.first()).toBeVisible();
}

async function refuseGames(page: Page): Promise<void> {
  await page.route('**/wps/relay/GCSGAME_gameList**', (route) =>
    route.fulfill({ status: 503, body: '{}' }),
  );
}
