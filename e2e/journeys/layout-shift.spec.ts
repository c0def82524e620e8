import type { Page, Request, Route } from '@playwright/test';

import { newMember } from '../support/member.ts';
import type { Server } from '../support/server.ts';
import { inGate } from '../support/tag.ts';
import { expect, test, type Session } from '../support/test.ts';

/** Who looks: games that were played, and stars, change what stands on a screen. A stranger played elsewhere. */
type Who = 'visitor' | 'newcomer' | 'player' | 'stranger';

/** Which of the calls on their way is answered next. */
type Order = 'first' | 'last';

/** What every page asks for. */
const always = ['settings/consolidated', 'status', 'whitelabel'];

/** Screens, with the calls that each makes for everybody and for members: none may be left out because it came late. */
const screens = [
  {
    name: 'home',
    path: '/m/home',
    there: 'main article',
    calls: [
      'customerService',
      'MCSFE_getListAnnouncements m_home',
      'MCSFE_getListAnnouncements m_live',
      'GCSGAME_hotGamesV2',
      'GCSGAME_newGameVendor',
      'LIVE_getModelList',
    ],
    own: ['v2/wallets/balance', 'member/info'],
  },
  {
    name: 'lobby',
    path: '/m/game?category=RNG',
    there: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    own: ['v2/wallets/balance', 'member/info', 'GCS_recentGame', 'MCSFE_getFavoriteGames'],
  },
  {
    name: 'list',
    path: '/m/gameList?gameType=RNG',
    there: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    own: ['MCSFE_getFavoriteGames'],
  },
  {
    name: 'game centre',
    path: '/m/gameCenter',
    there: 'main a',
    calls: ['GCSGAME_newGameVendor'],
    own: ['member/info'],
  },
  {
    name: 'jackpot',
    path: '/m/jackpot',
    there: 'main dl',
    calls: ['page/jackpot', 'jackpot', 'jackpot/pool'],
    own: ['member/info', 'jackpot/draws'],
  },
  {
    name: 'notices',
    path: '/m/notice',
    there: 'main li',
    calls: ['MCSFE_getListAnnouncements'],
    own: [],
  },
] as const;

declare global {
  interface Window {
    shifts: { value: number; sources: string[] }[];
  }
}

/** Notes what moved though nobody had touched the screen, and how far, as browsers count it. */
function watchShifts(): void {
  window.shifts = [];
  type Shift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      const sources = entry.sources.map(({ node, previousRect: was, currentRect: is }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${element?.tagName} ${element?.className}: ${was.y}+${was.height} to ${is.y}+${is.height}`;
      });
      window.shifts.push({ value: entry.value, sources });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** For how long a screen waits to know what stands on it. */
const patience = 3_000;

/** Lets no such wait come to its end: here a call takes as long as those before it. */
function waitOn(shortest: number): void {
  const later = window.setTimeout.bind(window);
  const patient = (...[run, ms, ...rest]: Parameters<typeof later>) =>
    (ms ?? 0) >= shortest ? 0 : later(run, ms, ...rest);
  Object.assign(window, { setTimeout: patient });
}

/** Keeps calls waiting, so that a journey lets them go one by one. */
async function hold(page: Page): Promise<Route[]> {
  const waiting: Route[] = [];
  // What the page no longer wants is never answered.
  page.on('requestfailed', (request) => {
    const at = waiting.findIndex((route) => route.request() === request);
    if (at >= 0) waiting.splice(at, 1);
  });
  await page.route('**/wps/**', async (route) => {
    // The stream of events has no end to wait for.
    if (route.request().url().includes('/wps/events')) await route.continue();
    else waiting.push(route);
  });
  return waiting;
}

/** A call, as the lists above name it. */
function nameOf(route: Route): string {
  const { pathname, searchParams } = new URL(route.request().url());
  const group = searchParams.get('groupName');
  const name = pathname.replace(/^\/wps\/(?:relay\/|system\/)?/, '');
  return group ? `${name} ${group}` : name;
}

/**
 * Lets all calls go, each when the one before is on the screen, until those that the screen is known to make have been
 * answered and nothing more is asked for. Parts of the app come by themselves: their calls may be late.
 */
async function answer(
  page: Page,
  waiting: Route[],
  order: Order,
  { there, awaited }: { there: string; awaited: Set<string> },
): Promise<void> {
  const goal = page.locator(there).first();
  const end = Date.now() + 120_000;
  for (let quiet = 0; quiet < 3 && Date.now() < end;) {
    const route = order === 'first' ? waiting.shift() : waiting.pop();
    if (route) {
      const done = ended(page, route);
      await route.continue();
      await done;
      awaited.delete(nameOf(route));
      quiet = 0;
    } else if (awaited.size === 0 && (await goal.isVisible())) {
      quiet += 1;
    }
    await settled(page);
  }
  expect([...awaited], 'calls that never came').toEqual([]);
}

function ended(page: Page, route: Route): Promise<void> {
  return new Promise((done) => {
    const see = (request: Request): void => {
      if (request === route.request()) done();
    };
    page.on('requestfinished', see);
    page.on('requestfailed', see);
  });
}

/** All that was to be drawn has been, and the page has nothing to do. */
function settled(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done())));
      }),
  );
}

async function playedBefore(server: Server, session: Session): Promise<void> {
  const headers = { Authorization: session.token, 'Content-Type': 'application/json' };
  const list = await fetch(`${server.origin}/wps/relay/GCSGAME_hotGamesV2`);
  const { value } = (await list.json()) as {
    value: { list: { nodeId: string }[] };
  };
  for (const { nodeId } of value.list.slice(0, 6)) {
    const noted = await fetch(`${server.origin}/wps/relay/GCS_recentGame`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ nodeId }),
    });
    expect(noted.ok, await noted.text()).toBe(true);
  }
}

/** The first two are for the gate, the others for `make soak`. */
const looks: [Who, Order][] = [
  ['visitor', 'first'],
  ['player', 'last'],
  ['newcomer', 'last'],
  ['player', 'first'],
  ['stranger', 'first'],
  ['stranger', 'last'],
];

for (const { name, path, there, calls, own } of screens) {
  for (const [i, [who, order]] of looks.entries()) {
    const { tag } = inGate(
      (i < 2 && name === 'home') || (i === 1 && ['lobby', 'list'].includes(name)),
    );
    test(
      `${name} stands still while it fills: ${who}, the ${order} call answered first`,
      { tag },
      async ({ page, open, server, request }) => {
        const session = who === 'visitor' ? undefined : await newMember(server, request);
        if (session && who !== 'newcomer') await playedBefore(server, session);
        if (session && who === 'player') {
          await page.addInitScript(
            (mine) => localStorage.setItem('played', mine),
            session.userName,
          );
        }
        await page.addInitScript(watchShifts);
        await page.addInitScript(waitOn, patience);
        const waiting = await hold(page);
        await open(path, session && { session });
        const awaited = new Set<string>([...always, ...calls, ...(session ? own : [])]);
        await answer(page, waiting, order, { there, awaited });
        const shifts = await page.evaluate(() => window.shifts);
        const sum = shifts.reduce((all, { value }) => all + value, 0);
        expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(0.1);
      },
    );
  }
}
