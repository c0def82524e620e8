import type { Page } from '@playwright/test';

import { GameList, Lobby } from '../pages/games.ts';
import { newMember } from '../support/member.ts';
import { expect, test } from '../support/test.ts';

type Vendor = {
  accountTypeName: string;
  vendorNames: string[];
  vendorSorting: number;
  vendorCode: string;
  displayName: string;
  gameTypes: string[];
};

/** The vendors as somebody else's gateway could tell them. */
async function withVendors(page: Page, change: (vendors: Vendor[]) => Partial<Vendor>[]) {
  await page.route('**/wps/relay/GCSGAME_newGameVendor?**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Vendor[] };
    await route.fulfill({ response, json: { ...body, value: change(body.value) } });
  });
}

test(
  'LB-01 after HOT, FAV and JL the menu has what vendors serve, and nothing that none of them does',
  { tag: '@soak' },
  async ({ page, open }) => {
    const lobby = new Lobby(page);
    const codes = () =>
      lobby.rail
        .getByRole('link')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.toString()),
        );
    await withVendors(page, (vendors) => [
      ...vendors.filter(({ vendorCode }) => vendorCode === 'AV' || vendorCode === 'IMES'),
      { ...vendors[0]!, vendorCode: 'JL', gameTypes: ['FISH', 'RNG', 'NEWKIND'] },
    ]);
    await open('/m/game');
    await expect
      .poll(codes)
      .toEqual([
        ...['HOT', 'FAV', 'JL', 'RNG', 'FISH', 'NEWKIND'].map((code) => `category=${code}`),
        ...['IMES', 'AV'].map((code) => `category=ESPORTS&vassalage=${code}`),
        '',
      ]);
    // The group has its name, and each of its members that of the provider.
    const group = lobby.rail.getByRole('group');
    await expect(group.getByRole('link')).toHaveText(['Iron Mesa', 'Arena Vanta']);
  },
);

test(
  'EN-13 vendors are told by their names, stand by vendorSorting whatever their place, and rows may be groups',
  { tag: '@soak' },
  async ({ page, open }) => {
    await withVendors(page, () => [
      // As one kind of gateway tells: a row for each group, with the vendors that serve it.
      { accountTypeName: 'RNG', vendorNames: ['JL', 'PG'], vendorSorting: 7 },
      { accountTypeName: 'PVP', vendorNames: ['PG'], vendorSorting: 8 },
      // As the other does: a row for each vendor.
      {
        accountTypeName: 'PVP',
        vendorNames: ['Cards and more'],
        vendorSorting: 2,
        vendorCode: 'CM',
        gameTypes: ['PVP'],
      },
      {
        accountTypeName: 'RNG',
        vendorNames: ['Reels first'],
        vendorSorting: 1,
        vendorCode: 'RF',
        gameTypes: ['RNG', 'PVP'],
      },
    ]);
    const lobby = new Lobby(page);
    const chips = lobby.providers.getByRole('link');
    const all = lobby.text('All');
    await open('/m/game?category=RNG');
    await expect(chips).toHaveText(
      [all, 'Reels first', 'JL', 'PG'].map((name) => new RegExp(name)),
    );
    await page.goto('/m/game?category=PVP');
    await expect(chips).toHaveText(
      [all, 'Reels first', 'Cards and more', 'PG'].map((name) => new RegExp(name)),
    );
  },
);

test(
  'GL-02 games of LOTT and ELOTT go to the launcher with code lobby from wherever they stand',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const lobby = new Lobby(page);
    const list = new GameList(page);
    const launcher = '/m/launchGame?code=lobby';
    await open('/m/gameList?vassalage=ELOTT', { session: await newMember(server, request) });
    const name = await list.nameOf(list.tiles.first());
    await test.step('found by its name', async () => {
      await list.search.fill(name);
      // What was found has its name marked; before that the list that was there still stands.
      await expect(list.marked.first()).toBeVisible();
      await list.tile(name).first().getByRole('link').tap();
      await expect(page).toHaveURL(launcher);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
    await test.step('in the lobby', async () => {
      await page.goto('/m/game?category=LOTT&vassalage=LOTT');
      await lobby.tiles.first().getByRole('link').tap();
      await expect(page).toHaveURL(launcher);
    });
    await test.step('as a category of its own', async () => {
      await page.goto('/m/game');
      await lobby.rail.locator(`a[href="${launcher}"]`).tap();
      await expect(page).toHaveURL(launcher);
    });
    await test.step('a visitor, by way of the login', async () => {
      await page.evaluate(() => localStorage.clear());
      await page.goto('/m/gameList?vassalage=LOTT');
      await list.tiles.first().getByRole('link').tap();
      await expect(page).toHaveURL(/\/m\/login\?return=%2Fm%2FlaunchGame%3Fcode%3Dlobby/);
    });
  },
);
