import { devices, expect, type Page } from '@playwright/test';

import { Front } from '../pages/front.ts';
import { Home } from '../pages/home.ts';
import { Menu } from '../pages/menu.ts';
import type { Language } from '../support/text.ts';
import type { Screen } from './screen.ts';

/** Home and what lies around it. */
export const frontScreens: Screen[] = [
  { name: 'home of a visitor', soak: true, path: '/m/home', stands: homeStands },
  { name: 'home of a member', path: '/m/home', member: true, stands: homeStands },
  {
    name: 'home to its end',
    path: '/m/home',
    whole: true,
    reach: async (page) => {
      await homeStands(page, 'vi');
      await new Front(page).seeAll();
    },
    stands: async (page, language) =>
      expect(new Front(page, language).block('Winner board')).toBeVisible(),
  },
  {
    name: 'what pops up over home',
    path: '/m/home',
    popups: true,
    over: true,
    // What pops up waits for the first touch.
    reach: async (page) => page.mouse.wheel(0, 10),
    stands: async (page, language) => expect(new Front(page, language).popup).toBeVisible(),
  },
  {
    name: 'menu',
    path: '/m/home',
    member: true,
    over: true,
    reach: async (page) => {
      await homeStands(page, 'vi');
      await new Menu(page).open();
    },
    stands: async (page, language) => expect(new Menu(page, language).panel).toBeVisible(),
  },
  {
    name: 'menu of a visitor',
    soak: true,
    path: '/m/home',
    over: true,
    reach: async (page) => {
      await homeStands(page, 'vi');
      await new Menu(page).open();
    },
    stands: async (page, language) => expect(new Menu(page, language).panel).toBeVisible(),
  },
  {
    name: 'download popup',
    soak: true,
    path: '/m/home',
    popups: true,
    over: true,
    prepare: async (page) => {
      await change(page, '**/wps/system/settings/consolidated', { downloadPopup: true });
      // Only what is announced has been closed before.
      await page.route('**/wps/relay/MCSFE_getListAnnouncements**', (route) =>
        route.fulfill({ json: { success: true, value: [] } }),
      );
    },
    reach: async (page) => page.mouse.wheel(0, 10),
    stands: async (page, language) => {
      const front = new Front(page, language);
      const claims = front.popup.getByRole('region', {
        name: front.text('Bonuses for installing'),
      });
      await expect(claims).toBeVisible();
    },
  },
  {
    name: 'notice to use Safari',
    soak: true,
    path: '/m/app?guide=ios',
    over: true,
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
    stands: async (page, language) => expect(new Front(page, language).question).toBeVisible(),
  },
  {
    name: 'question to a guest',
    soak: true,
    path: '/m/home',
    guest: true,
    over: true,
    reach: async (page) => {
      await homeStands(page, 'vi');
      await new Front(page).menuItem('Me').tap();
    },
    stands: async (page, language) => expect(new Front(page, language).question).toBeVisible(),
  },
  {
    name: 'question before logout',
    path: '/m/home',
    member: true,
    over: true,
    reach: async (page) => new Home(page).logoutButton.tap(),
    stands: async (page, language) => expect(new Home(page, language).question).toBeVisible(),
  },
  {
    name: 'announcements',
    soak: true,
    path: '/m/notice',
    member: true,
    stands: async (page, language) =>
      expect(new Front(page, language).main.getByRole('listitem').first()).toBeVisible(),
  },
  {
    name: 'an announcement that was opened',
    soak: true,
    path: '/m/notice',
    reach: async (page) =>
      new Front(page).main.getByRole('listitem').first().getByRole('button').tap(),
    stands: async (page, language) =>
      expect(new Front(page, language).main.locator('[aria-expanded=true]')).toBeVisible(),
  },
  {
    name: 'an announcement of its own',
    soak: true,
    path: '/m/notice',
    reach: async (page) => {
      const answered = page.waitForResponse('**/MCSFE_getListAnnouncements**');
      await page.reload();
      // Asked for once more: what a page was answered is gone with the page.
      const again = await page.request.get((await answered).url());
      const { value } = (await again.json()) as { value: { id: string }[] };
      await page.goto(`/m/banner/${value[0]?.id}`);
    },
    stands: async (page, language) =>
      expect(new Front(page, language).main.locator('article, h2').first()).toBeVisible(),
  },
  { ...worded('an announcement that is gone', '/m/banner/1', 'No longer announced'), soak: true },
  {
    name: 'jackpot',
    soak: true,
    path: '/m/jackpot',
    whole: true,
    stands: async (page, language) => {
      const front = new Front(page, language);
      await expect(front.block('Won before')).toBeVisible();
    },
  },
  {
    name: 'winner board',
    soak: true,
    path: '/m/winnerBoard',
    whole: true,
    stands: async (page, language) =>
      expect(new Front(page, language).main.getByRole('listitem').first()).toBeVisible(),
  },
  worded('customer service', '/m/service', 'Choose how you want to talk to us.'),
  { ...written('a policy', '/m/policy/privacy'), soak: true },
  written('the agreement', '/m/userAgreement'),
  {
    ...worded('a page that is not there', '/m/policy/nothing', 'There is no such page'),
    soak: true,
  },
  {
    name: 'the app page',
    path: '/m/app',
    whole: true,
    stands: async (page, language) =>
      expect(new Front(page, language).title).toHaveText(
        new Front(page, language).text('Download app'),
      ),
  },
  { ...worded('a screen that is not open yet', '/m/activity', 'Not open yet'), soak: true },
  {
    ...worded('the address of maintenance while all is well', '/m/maintenance', 'We are open'),
    soak: true,
  },
  closed('closed for work', 2, 'System under maintenance'),
  { ...closed('closed to an address', 1, 'IP restricted: access denied'), soak: true },
  {
    name: 'components',
    soak: true,
    path: '/dev/ui',
    stands: async (page) =>
      expect(page.getByRole('button', { name: 'refuse', exact: true })).toBeVisible(),
  },
];

async function homeStands(page: Page, language: Language): Promise<void> {
  const home = new Home(page, language);
  await expect(home.tiles).toHaveCount(21);
  await expect(home.banners).toBeVisible();
}

/** A screen that is there when it says something. */
function worded(name: string, path: string, words: string): Screen {
  return {
    name,
    path,
    stands: async (page, language) =>
      expect(page.getByText(new Home(page, language).text(words)).first()).toBeVisible(),
  };
}

/** A page of the operator's. */
function written(name: string, path: string): Screen {
  return {
    name,
    path,
    whole: true,
    stands: async (page, language) =>
      expect(new Home(page, language).main.getByRole('article')).toBeVisible(),
  };
}

/** The whole site as it is while it lets nobody in. */
function closed(name: string, systemStatus: number, words: string): Screen {
  return {
    ...worded(name, '/m/home', words),
    prepare: async (page) => change(page, '**/wps/system/status', { systemStatus }),
  };
}

/** Answers as the server does, but for some of it. */
async function change(page: Page, call: string, changed: object): Promise<void> {
  await page.route(call, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { value: object };
    await route.fulfill({ response, json: { ...body, value: { ...body.value, ...changed } } });
  });
}
