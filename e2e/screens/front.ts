import { devices, expect, type Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Menu } from '../pages/menu.ts';
import type { Language } from '../support/text.ts';
import type { Screen } from './screen.ts';

export const frontScreens: Screen[] = [
  { name: 'home of a visitor', soakOnly: true, path: '/m/home', expectReady: expectHome },
  { name: 'home of a member', path: '/m/home', member: true, expectReady: expectHome },
  {
    name: 'home scrolled to its end',
    path: '/m/home',
    fullPage: true,
    reach: async (page) => {
      await expectHome(page, 'vi');
      await new Front(page).scrollToEnd();
    },
    expectReady: async (page, language) =>
      expect(new Front(page, language).block('Winner board')).toBeVisible(),
  },
  {
    name: 'popup on home',
    path: '/m/home',
    popups: true,
    overlay: true,
    // Popups wait for the first touch.
    reach: async (page) => page.mouse.wheel(0, 10),
    expectReady: async (page, language) => expect(new Front(page, language).popup).toBeVisible(),
  },
  {
    name: 'menu',
    path: '/m/home',
    member: true,
    overlay: true,
    reach: async (page) => {
      await expectHome(page, 'vi');
      await new Menu(page).open();
    },
    expectReady: async (page, language) => expect(new Menu(page, language).panel).toBeVisible(),
  },
  {
    name: 'menu of a visitor',
    soakOnly: true,
    path: '/m/home',
    overlay: true,
    reach: async (page) => {
      await expectHome(page, 'vi');
      await new Menu(page).open();
    },
    expectReady: async (page, language) => expect(new Menu(page, language).panel).toBeVisible(),
  },
  {
    name: 'download popup',
    soakOnly: true,
    path: '/m/home',
    popups: true,
    overlay: true,
    prepare: async (page) => {
      await overrideResponse(page, '**/wps/system/settings/consolidated', { downloadPopup: true });
      // Without announcements, the download popup is the only popup.
      await page.route('**/wps/relay/MCSFE_getListAnnouncements**', (route) =>
        route.fulfill({ json: { success: true, value: [] } }),
      );
    },
    reach: async (page) => page.mouse.wheel(0, 10),
    expectReady: async (page, language) => {
      const front = new Front(page, language);
      const claims = front.popup.getByRole('region', {
        name: front.text('Bonuses for installing'),
      });
      await expect(claims).toBeVisible();
    },
  },
  {
    name: 'notice to use Safari',
    soakOnly: true,
    path: '/m/app?guide=ios',
    overlay: true,
    prepare: async (page) => {
      await page.addInitScript(
        (userAgent) => {
          Object.defineProperty(Navigator.prototype, 'userAgent', { get: () => userAgent });
        },
        devices['iPhone 14'].userAgent.replace(/Version\/\S+/, 'CriOS/126.0'),
      );
    },
    reach: async (page) => {
      const front = new Front(page);
      await page.getByRole('link', { name: front.text('Install by a profile') }).tap();
    },
    expectReady: async (page, language) => expect(new Front(page, language).question).toBeVisible(),
  },
  {
    name: 'question to a guest',
    soakOnly: true,
    path: '/m/home',
    guest: true,
    overlay: true,
    reach: async (page) => {
      await expectHome(page, 'vi');
      await new Front(page).menuItem('Me').tap();
    },
    expectReady: async (page, language) => expect(new Front(page, language).question).toBeVisible(),
  },
  {
    name: 'question before logout',
    path: '/m/home',
    member: true,
    overlay: true,
    reach: async (page) => new Home(page).logoutButton.tap(),
    expectReady: async (page, language) => expect(new Home(page, language).question).toBeVisible(),
  },
  {
    name: 'announcements',
    soakOnly: true,
    path: '/m/notice',
    member: true,
    expectReady: async (page, language) =>
      expect(new Front(page, language).main.getByRole('listitem').first()).toBeVisible(),
  },
  {
    name: 'an announcement that was opened',
    soakOnly: true,
    path: '/m/notice',
    reach: async (page) =>
      new Front(page).main.getByRole('listitem').first().getByRole('button').tap(),
    expectReady: async (page, language) =>
      expect(new Front(page, language).main.locator('[aria-expanded=true]')).toBeVisible(),
  },
  {
    name: 'the page of an announcement',
    soakOnly: true,
    path: '/m/notice',
    reach: async (page) => {
      const listResponse = page.waitForResponse('**/MCSFE_getListAnnouncements**');
      await page.reload();
      // Fetched again, because the browser discards the first response after the navigation.
      const repeated = await page.request.get((await listResponse).url());
      const { value } = (await repeated.json()) as { value: { id: string }[] };
      await page.goto(`/m/banner/${value[0]?.id}`);
    },
    expectReady: async (page, language) =>
      expect(new Front(page, language).main.locator('article, h2').first()).toBeVisible(),
  },
  {
    ...textScreen('an announcement that is gone', '/m/banner/1', 'No longer announced'),
    soakOnly: true,
  },
  {
    name: 'jackpot',
    soakOnly: true,
    path: '/m/jackpot',
    fullPage: true,
    expectReady: async (page, language) => {
      const front = new Front(page, language);
      await expect(front.block('Won before')).toBeVisible();
    },
  },
  {
    name: 'winner board',
    soakOnly: true,
    path: '/m/winnerBoard',
    fullPage: true,
    expectReady: async (page, language) =>
      expect(new Front(page, language).main.getByRole('listitem').first()).toBeVisible(),
  },
  textScreen('customer service', '/m/service', 'Choose how you want to talk to us.'),
  {
    name: 'help centre',
    path: '/m/help',
    expectReady: async (page, language) =>
      expect(new Front(page, language).main.locator('[aria-expanded]').first()).toBeVisible(),
  },
  { ...contentScreen('a help article', '/m/helpDetail?p=1&c=1'), soakOnly: true },
  { ...contentScreen('a policy', '/m/policy/privacy'), soakOnly: true },
  contentScreen('the agreement', '/m/userAgreement'),
  {
    ...textScreen('a page that does not exist', '/m/policy/nothing', 'There is no such page'),
    soakOnly: true,
  },
  {
    name: 'the app page',
    path: '/m/app',
    fullPage: true,
    expectReady: async (page, language) =>
      expect(new Front(page, language).title).toHaveText(
        new Front(page, language).text('Download app'),
      ),
  },
  closedScreen('closed for maintenance', 2, 'System under maintenance'),
  { ...closedScreen('closed to an IP address', 1, 'IP restricted: access denied'), soakOnly: true },
  {
    name: 'components',
    soakOnly: true,
    path: '/dev/ui',
    expectReady: async (page) =>
      expect(page.getByRole('button', { name: 'refuse', exact: true })).toBeVisible(),
  },
];

async function expectHome(page: Page, language: Language): Promise<void> {
  const home = new Home(page, language);
  await expect(home.tiles).toHaveCount(21);
  await expect(home.banners).toBeVisible();
}

/** A screen that is ready when it shows a text. */
function textScreen(name: string, path: string, messageId: string): Screen {
  return {
    name,
    path,
    expectReady: async (page, language) =>
      expect(page.getByText(new Home(page, language).text(messageId)).first()).toBeVisible(),
  };
}

function contentScreen(name: string, path: string): Screen {
  return {
    name,
    path,
    fullPage: true,
    expectReady: async (page, language) =>
      expect(new Home(page, language).main.getByRole('article')).toBeVisible(),
  };
}

function closedScreen(name: string, systemStatus: number, messageId: string): Screen {
  return {
    ...textScreen(name, '/m/home', messageId),
    prepare: async (page) => overrideResponse(page, '**/wps/system/status', { systemStatus }),
  };
}

async function overrideResponse(page: Page, call: string, changed: object): Promise<void> {
  await page.route(call, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: object };
    await route.fulfill({ response, json: { ...body, value: { ...body.value, ...changed } } });
  });
}
