import { chromium as browsers, type FrameLocator, type Page } from 'playwright-core';

import type { Server } from '../../e2e/support/server.ts';
import { tables } from '../../e2e/support/tables.ts';
import { percentile, type Row } from './row.ts';
import { mainThreadTasks, slowdown, trace, type TraceEvent, workPerFrame } from './scrolling.ts';

const rounds = 4;
const spinIntervalMs = 3200;
const resultMs = 2000;
/** Longer than a round at a table. */
const timeoutMs = 90_000;

type Play = (frame: FrameLocator, page: Page) => Promise<void>;
/** A demo game: its URL parameters, the selector of its ready state, and a function that plays it. */
type Game = { engine: string; game: string; ready: string; play: Play };

const reels = { ready: '.spin[aria-disabled=false]', play: spin };
const table = (spot: string) => ({ ready: 'main.table', play: bet(spot) });

const games: readonly Game[] = [
  { engine: 'lines', game: 'vendor=JL&gameCategory=RNG&gameId=rng-001', ...reels },
  { engine: 'ways', game: 'vendor=PG&gameCategory=RNG&gameId=rng-003', ...reels },
  { engine: 'cascade', game: 'vendor=EG3&gameCategory=RNG&gameId=rng-023', ...reels },
  ...tables.map(({ engine, vendor, game, sides }) => ({
    engine,
    game: `vendor=${vendor}&gameCategory=LIVE&gameId=${game}`,
    ...table(sides[0]),
  })),
];

/**
 * Measures the main thread's work while each engine is played, at a quarter of the speed. It multiplies the thread's CPU time
 * by four, because the browser's own slowdown would also count the time taken by other processes.
 */
export async function measurePlaying(chromium: string, server: Server): Promise<Row[]> {
  const [username, password] = ['benchplayer', 'Ferris1234'];
  await server.createMember(username, password);
  await server.adjust(username, 10_000_000);
  const rows: Row[] = [];
  for (const game of games) {
    const events = await traceGame(chromium, server, game, { username, password });
    const what = `playing ${game.engine}`;
    const scriptTimes = scriptPerFrame(events);
    // A table may draw no frame by script.
    if (scriptTimes.length > 0) rows.push(rowOf(what, 'script per drawn frame', scriptTimes));
    rows.push(rowOf(what, 'processor time per frame', workPerFrame(mainThreadTasks(events))));
  }
  return rows;
}

function rowOf(what: string, which: string, values: readonly number[]): Row {
  if (values.length === 0) throw new Error(`${what}: no frame was seen`);
  const work = percentile(values, 0.95) * slowdown;
  return {
    what: `${what} at 4 × slowdown, ${which}, p95`,
    measured: `${work.toFixed(1)} ms`,
    budget: '≤ 8 ms',
    held: work <= 8,
  };
}

async function traceGame(
  chromium: string,
  server: Server,
  game: Game,
  member: { username: string; password: string },
): Promise<TraceEvent[]> {
  // A new browser for each game, so that no work is left over from the last one.
  const browser = await browsers.launch({ executablePath: chromium });
  try {
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    await logIn(page, server.origin, member);
    await page.goto(`${server.origin}/m/launchGame?${game.game}&supportPlay=true`);
    const frame = page.frameLocator('main iframe');
    await frame.locator(game.ready).waitFor({ timeout: timeoutMs });
    // Loads the driver's own script before the measurement.
    await frame.locator('body').evaluate(() => {});
    const devtools = await page.context().newCDPSession(page);
    return await trace(devtools, () => game.play(frame, page));
  } finally {
    await browser.close();
  }
}

async function spin(frame: FrameLocator, page: Page): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await tap(frame, '.spin');
    await page.waitForTimeout(spinIntervalMs);
  }
}

/** Bets in the next round and waits for its result. */
function bet(spot: string): Play {
  return async (frame, page) => {
    await waitFor(frame, 'main.table[data-phase=result]');
    await waitFor(frame, 'main.table[data-phase=betting]');
    await tap(frame, `.cloth [data-spot="${spot}"]`);
    await tap(frame, 'button.confirm');
    await waitFor(frame, '[data-mine=staked]');
    await waitFor(frame, 'main.table[data-phase=result]');
    await page.waitForTimeout(resultMs);
  };
}

/** Waits within the page, because the driver's polling would be measured too. */
const waitFor = (frame: FrameLocator, selector: string): Promise<void> =>
  frame.locator('body').evaluate(
    (body, [target, timeout]) =>
      new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${target}`)), timeout);
        const check = (): void => {
          if (!body.querySelector(target)) return;
          observer.disconnect();
          clearTimeout(timer);
          resolve();
        };
        const observer = new MutationObserver(check);
        observer.observe(body, {
          subtree: true,
          attributes: true,
          attributeFilter: ['data-phase', 'data-mine'],
        });
        check();
      }),
    [selector, timeoutMs] as const,
  );

/** Clicks by script, because the driver's own work would be measured too. */
const tap = (frame: FrameLocator, button: string): Promise<void> =>
  frame.locator(button).evaluate((element) => (element as HTMLElement).click());

/** Returns the milliseconds of script in each drawn frame. */
const scriptPerFrame = (events: readonly TraceEvent[]): number[] =>
  events
    .filter(({ name, ph }) => name === 'FireAnimationFrame' && ph === 'X')
    .map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000);

async function logIn(
  page: Page,
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const response = await page.request.post(`${origin}/wps/session/login`, {
    data: { username, password, type: 'username' },
    headers: { Device: 'MOBILE' },
  });
  const { value } = (await response.json()) as { value: Record<string, unknown> };
  const session: Record<string, unknown> = { ...value, merchantCode: 'fairground' };
  await page.addInitScript((items) => {
    for (const [key, text] of Object.entries(items)) localStorage.setItem(key, String(text));
  }, session);
}
