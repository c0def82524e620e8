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

async function mockVendors(page: Page, change: (vendors: Vendor[]) => Partial<Vendor>[]) {
  await page.route('**/wps/relay/GCSGAME_newGameVendor?**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: Vendor[] };
    await route.fulfill({ response, json: { ...body, value: change(body.value) } });
  });
}

test(
  'LB-01 after HOT, FAV and JL the menu lists the served groups, and no others',
  { tag: '@soak' },
  async ({ page, open }) => {
    const lobby = new Lobby(page);
    const codes = () =>
      lobby.rail
        .getByRole('link')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.toString()),
        );
    await mockVendors(page, (vendors) => [
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
    // The group has its own name, and each entry has the name of its provider.
    const group = lobby.rail.getByRole('group');
    await expect(group.getByRole('link')).toHaveText(['Iron Mesa', 'Arena Vanta']);
  },
);

test(
  'EN-13 vendors show their names, are sorted by vendorSorting, and rows may be groups',
  { tag: '@soak' },
  async ({ page, open }) => {
    await mockVendors(page, () => [
      // One kind of gateway returns a row per group, with its vendors.
      { accountTypeName: 'RNG', vendorNames: ['JL', 'PG'], vendorSorting: 7 },
      { accountTypeName: 'PVP', vendorNames: ['PG'], vendorSorting: 8 },
      // The other kind returns a row per vendor.
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
  'GL-02 games of LOTT and ELOTT open the launcher with code lobby wherever they are opened',
  { tag: '@soak' },
  async ({ page, open, server, request }) => {
    const lobby = new Lobby(page);
    const list = new GameList(page);
    const launcher = '/m/launchGame?code=lobby';
    await open('/m/gameList?vassalage=ELOTT', { session: await newMember(server, request) });
    const name = await list.nameOf(list.tiles.first());
    await test.step('found by name', async () => {
      await list.search.fill(name);
      // Waits for highlighted matches, because the previous list is shown until then.
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
    await test.step('as a category', async () => {
      await page.goto('/m/game');
      await lobby.rail.locator(`a[href="${launcher}"]`).tap();
      await expect(page).toHaveURL(launcher);
    });
    await test.step('a visitor, after the login', async () => {
      await page.evaluate(() => localStorage.clear());
      await page.goto('/m/gameList?vassalage=LOTT');
      await list.tiles.first().getByRole('link').tap();
      await expect(page).toHaveURL(/\/m\/login\?return=%2Fm%2FlaunchGame%3Fcode%3Dlobby/);
    });
  },
);
