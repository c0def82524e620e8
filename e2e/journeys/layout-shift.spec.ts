import type { Page, Request, Route } from '@playwright/test';

import { newMember } from '../support/member.ts';
import type { Server } from '../support/server.ts';
import { inGate } from '../support/tag.ts';
import { expect, test, type Session } from '../support/test.ts';

/** Who opens the screen: played games and stars change its content. A stranger has played elsewhere. */
type Who = 'visitor' | 'newcomer' | 'player' | 'stranger';

type Order = 'first' | 'last';

const commonCalls = ['settings/consolidated', 'status', 'whitelabel'];

/** The screens, with the calls of everyone and those of members. All of them must be answered. */
const screens = [
  {
    name: 'home',
    path: '/m/home',
    selector: 'main article',
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
    selector: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    own: ['v2/wallets/balance', 'member/info', 'GCS_recentGame', 'MCSFE_getFavoriteGames'],
  },
  {
    name: 'list',
    path: '/m/gameList?gameType=RNG',
    selector: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    own: ['MCSFE_getFavoriteGames'],
  },
  {
    name: 'game centre',
    path: '/m/gameCenter',
    selector: 'main a',
    calls: ['GCSGAME_newGameVendor'],
    own: ['member/info'],
  },
  {
    name: 'jackpot',
    path: '/m/jackpot',
    selector: 'main dl',
    calls: ['page/jackpot', 'jackpot', 'jackpot/pool'],
    own: ['member/info', 'jackpot/draws'],
  },
  {
    name: 'notices',
    path: '/m/notice',
    selector: 'main li',
    calls: ['MCSFE_getListAnnouncements'],
    own: [],
  },
] as const;

declare global {
  interface Window {
    shifts: { value: number; sources: string[] }[];
  }
}

/** Records layout shifts without user input, as browsers measure them. */
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

/** How long a screen waits for its content before it decides on its layout. */
const layoutTimeoutMs = 3_000;

/** Prevents such timeouts: here a call waits for all calls before it. */
function disableTimeouts(shortest: number): void {
  const later = window.setTimeout.bind(window);
  const slowTimeout = (...[run, ms, ...rest]: Parameters<typeof later>) =>
    (ms ?? 0) >= shortest ? 0 : later(run, ms, ...rest);
  Object.assign(window, { setTimeout: slowTimeout });
}

async function holdCalls(page: Page): Promise<Route[]> {
  const waiting: Route[] = [];
  // Cancelled calls are never answered.
  page.on('requestfailed', (request) => {
    const at = waiting.findIndex((route) => route.request() === request);
    if (at >= 0) waiting.splice(at, 1);
  });
  await page.route('**/wps/**', async (route) => {
    // The event stream never ends.
    if (route.request().url().includes('/wps/events')) await route.continue();
    else waiting.push(route);
  });
  return waiting;
}

/** The name of a call, as in the lists above. */
function nameOf(route: Route): string {
  const { pathname, searchParams } = new URL(route.request().url());
  const group = searchParams.get('groupName');
  const name = pathname.replace(/^\/wps\/(?:relay\/|system\/)?/, '');
  return group ? `${name} ${group}` : name;
}

/** Answers all calls, each when the previous answer is painted, until the expected calls are answered and none is pending. */
async function answer(
  page: Page,
  waiting: Route[],
  order: Order,
  { selector, expectedCalls }: { selector: string; expectedCalls: Set<string> },
): Promise<void> {
  const content = page.locator(selector).first();
  const end = Date.now() + 120_000;
  for (let idleTurns = 0; idleTurns < 3 && Date.now() < end;) {
    const route = order === 'first' ? waiting.shift() : waiting.pop();
    if (route) {
      const done = ended(page, route);
      await route.continue();
      await done;
      expectedCalls.delete(nameOf(route));
      idleTurns = 0;
    } else if (expectedCalls.size === 0 && (await content.isVisible())) {
      idleTurns += 1;
    }
    await waitUntilIdle(page);
  }
  expect([...expectedCalls], 'calls that never came').toEqual([]);
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

function waitUntilIdle(page: Page): Promise<void> {
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
    const recorded = await fetch(`${server.origin}/wps/relay/GCS_recentGame`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ nodeId }),
    });
    expect(recorded.ok, await recorded.text()).toBe(true);
  }
}

/** The first two run in the gate, the others in `make soak`. */
const looks: [Who, Order][] = [
  ['visitor', 'first'],
  ['player', 'last'],
  ['newcomer', 'last'],
  ['player', 'first'],
  ['stranger', 'first'],
  ['stranger', 'last'],
];

for (const { name, path, selector, calls, own } of screens) {
  for (const [i, [who, order]] of looks.entries()) {
    const { tag } = inGate(
      (i < 2 && name === 'home') || (i === 1 && ['lobby', 'list'].includes(name)),
    );
    test(
      `${name} does not shift while it loads: ${who}, the ${order} call answered first`,
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
        await page.addInitScript(disableTimeouts, layoutTimeoutMs);
        const waiting = await holdCalls(page);
        await open(path, session && { session });
        const expectedCalls = new Set<string>([...commonCalls, ...calls, ...(session ? own : [])]);
        await answer(page, waiting, order, { selector, expectedCalls });
        const shifts = await page.evaluate(() => window.shifts);
        const sum = shifts.reduce((all, { value }) => all + value, 0);
        expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(0.1);
      },
    );
  }
}
