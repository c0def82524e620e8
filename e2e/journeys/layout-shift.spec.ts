import type { Page, Request, Route } from '@playwright/test';

import { newMember } from '../support/member.ts';
import type { Server } from '../support/server.ts';
import { inGate } from '../support/tag.ts';
import { expect, test, type Session } from '../support/test.ts';

/** Who opens the screen. Played games and stars change its content. A stranger has played, but on another device. */
type Who = 'visitor' | 'newcomer' | 'player' | 'stranger';

type Order = 'first' | 'last';

const commonCalls = ['settings/consolidated', 'status', 'whitelabel'];

/** The screens, with the requests for everyone and the additional requests for members. All of them must get a response. */
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
    memberCalls: ['v2/wallets/balance', 'member/info'],
  },
  {
    name: 'lobby',
    path: '/m/game?category=RNG',
    selector: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    memberCalls: ['v2/wallets/balance', 'member/info', 'GCS_recentGame', 'MCSFE_getFavoriteGames'],
  },
  {
    name: 'list',
    path: '/m/gameList?gameType=RNG',
    selector: 'main article',
    calls: ['GCSGAME_newGameVendor', 'GCSGAME_gameList'],
    memberCalls: ['MCSFE_getFavoriteGames'],
  },
  {
    name: 'game centre',
    path: '/m/gameCenter',
    selector: 'main a',
    calls: ['GCSGAME_newGameVendor'],
    memberCalls: ['member/info'],
  },
  {
    name: 'jackpot',
    path: '/m/jackpot',
    selector: 'main dl',
    calls: ['page/jackpot', 'jackpot', 'jackpot/pool'],
    memberCalls: ['member/info', 'jackpot/draws'],
  },
  {
    name: 'notices',
    path: '/m/notice',
    selector: 'main li',
    calls: ['MCSFE_getListAnnouncements'],
    memberCalls: [],
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

/** Disables timeouts of at least `minMs`, because in these tests a request waits for all requests before it. */
function disableTimeouts(minMs: number): void {
  const originalSetTimeout = window.setTimeout.bind(window);
  const slowTimeout = (...[run, ms, ...rest]: Parameters<typeof originalSetTimeout>) =>
    (ms ?? 0) >= minMs ? 0 : originalSetTimeout(run, ms, ...rest);
  Object.assign(window, { setTimeout: slowTimeout });
}

async function holdCalls(page: Page): Promise<Route[]> {
  const heldRoutes: Route[] = [];
  // Cancelled requests never get a response.
  page.on('requestfailed', (request) => {
    const index = heldRoutes.findIndex((route) => route.request() === request);
    if (index >= 0) heldRoutes.splice(index, 1);
  });
  await page.route('**/wps/**', async (route) => {
    // The event stream never ends.
    if (route.request().url().includes('/wps/events')) await route.continue();
    else heldRoutes.push(route);
  });
  return heldRoutes;
}

/** Returns the name of a request, as in the lists above. */
function nameOf(route: Route): string {
  const { pathname, searchParams } = new URL(route.request().url());
  const group = searchParams.get('groupName');
  const name = pathname.replace(/^\/wps\/(?:relay\/|system\/)?/, '');
  return group ? `${name} ${group}` : name;
}

/** Responds to all held requests in turn, each after the previous response is painted. It ends when the expected requests have responses and no request is pending. */
async function respondInTurn(
  page: Page,
  heldRoutes: Route[],
  order: Order,
  { selector, expectedCalls }: { selector: string; expectedCalls: Set<string> },
): Promise<void> {
  const content = page.locator(selector).first();
  const deadline = Date.now() + 120_000;
  for (let idleTurns = 0; idleTurns < 3 && Date.now() < deadline;) {
    const route = order === 'first' ? heldRoutes.shift() : heldRoutes.pop();
    if (route) {
      const requestDone = requestEnd(page, route);
      await route.continue();
      await requestDone;
      expectedCalls.delete(nameOf(route));
      idleTurns = 0;
    } else if (expectedCalls.size === 0 && (await content.isVisible())) {
      idleTurns += 1;
    }
    await waitUntilIdle(page);
  }
  expect([...expectedCalls], 'calls that never came').toEqual([]);
}

function requestEnd(page: Page, route: Route): Promise<void> {
  return new Promise((resolve) => {
    const handleEnd = (request: Request): void => {
      if (request === route.request()) resolve();
    };
    page.on('requestfinished', handleEnd);
    page.on('requestfailed', handleEnd);
  });
}

function waitUntilIdle(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() => requestIdleCallback(() => resolve())),
        );
      }),
  );
}

async function recordPlayedGames(server: Server, session: Session): Promise<void> {
  const headers = { Authorization: session.token, 'Content-Type': 'application/json' };
  const list = await fetch(`${server.origin}/wps/relay/GCSGAME_hotGamesV2`);
  const { value } = (await list.json()) as {
    value: { list: { nodeId: string }[] };
  };
  for (const { nodeId } of value.list.slice(0, 6)) {
    const response = await fetch(`${server.origin}/wps/relay/GCS_recentGame`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ nodeId }),
    });
    expect(response.ok, await response.text()).toBe(true);
  }
}

/** The first two run in the gate, the others in `make soak`. */
const variants: [Who, Order][] = [
  ['visitor', 'first'],
  ['player', 'last'],
  ['newcomer', 'last'],
  ['player', 'first'],
  ['stranger', 'first'],
  ['stranger', 'last'],
];

for (const { name, path, selector, calls, memberCalls } of screens) {
  for (const [i, [who, order]] of variants.entries()) {
    const { tag } = inGate(
      (i < 2 && name === 'home') || (i === 1 && ['lobby', 'list'].includes(name)),
    );
    test(
      `${name} does not shift while it loads: ${who}, responding to the ${order} request first`,
      { tag },
      async ({ page, open, server, request }) => {
        const session = who === 'visitor' ? undefined : await newMember(server, request);
        if (session && who !== 'newcomer') await recordPlayedGames(server, session);
        if (session && who === 'player') {
          await page.addInitScript(
            (mine) => localStorage.setItem('played', mine),
            session.userName,
          );
        }
        await page.addInitScript(watchShifts);
        await page.addInitScript(disableTimeouts, layoutTimeoutMs);
        const heldRoutes = await holdCalls(page);
        await open(path, session && { session });
        const expectedCalls = new Set<string>([
          ...commonCalls,
          ...calls,
          ...(session ? memberCalls : []),
        ]);
        await respondInTurn(page, heldRoutes, order, { selector, expectedCalls });
        const shifts = await page.evaluate(() => window.shifts);
        const sum = shifts.reduce((all, { value }) => all + value, 0);
        expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(0.1);
      },
    );
  }
}
