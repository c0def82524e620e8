import { chromium as browsers, type FrameLocator, type Page } from 'playwright-core';

import type { Server } from '../../e2e/support/server.ts';
import { percentile, type Row } from './row.ts';
import { mainThreadTasks, slowdown, trace, type TraceEvent, workPerFrame } from './scrolling.ts';

const rounds = 4;
/** From one tap to the next at least, and a little for the result to be shown. */
const cycle = 3200;
/** A result is looked at for so long. */
const shown = 2000;
/** Longer than a round of a table. */
const patience = 90_000;

type Play = (frame: FrameLocator, page: Page) => Promise<void>;
/** A game of the demo: what the House plays it with, how it is started and seen to stand, and what is measured. */
type Played = { engine: string; game: string; ready: string; play: Play };

const reels = { ready: '.spin[aria-disabled=false]', play: spinning };
const table = (spot: string) => ({ ready: 'main.table', play: dealing(spot) });

const games: readonly Played[] = [
  { engine: 'lines', game: 'vendor=JL&gameCategory=RNG&gameId=rng-001', ...reels },
  { engine: 'ways', game: 'vendor=PG&gameCategory=RNG&gameId=rng-003', ...reels },
  { engine: 'cascade', game: 'vendor=EG3&gameCategory=RNG&gameId=rng-023', ...reels },
  { engine: 'baccarat', game: 'vendor=NOX&gameCategory=LIVE&gameId=live-001', ...table('player') },
  { engine: 'sic bo', game: 'vendor=LUX&gameCategory=LIVE&gameId=live-009', ...table('small') },
  {
    engine: 'dragon tiger',
    game: 'vendor=NOX&gameCategory=LIVE&gameId=live-007',
    ...table('dragon'),
  },
  { engine: 'roulette', game: 'vendor=LUX&gameCategory=LIVE&gameId=live-016', ...table('red') },
];

/**
 * The main thread's work while a game of each of the House's engines is played, as it is at a quarter of the speed: the thread's
 * own time, four times. The browser's slowdown goes by the clock on the wall, so that it would also slow what other
 * processes took of a busy machine, and add it to the game's work.
 */
export async function measurePlaying(chromium: string, server: Server): Promise<Row[]> {
  const [username, password] = ['benchplayer', 'Ferris1234'];
  await server.createMember(username, password);
  await server.adjust(username, 10_000_000);
  const rows: Row[] = [];
  for (const game of games) {
    const events = await played(chromium, server, game, { username, password });
    const what = `playing ${game.engine}`;
    const drawn = scriptPerFrame(events);
    // A table may draw no frame by script at all, which says nothing of it.
    if (drawn.length > 0) rows.push(rowOf(what, 'script per drawn frame', drawn));
    rows.push(rowOf(what, 'main-thread work per frame', workPerFrame(mainThreadTasks(events))));
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

async function played(
  chromium: string,
  server: Server,
  game: Played,
  member: { username: string; password: string },
): Promise<TraceEvent[]> {
  // A browser for each game: what one has left behind is not the next one's work.
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
    await frame.locator(game.ready).waitFor({ timeout: patience });
    // What the driver brings along for its first question is none of the game's work.
    await frame.locator('body').evaluate(() => {});
    const devtools = await page.context().newCDPSession(page);
    return await trace(devtools, () => game.play(frame, page));
  } finally {
    await browser.close();
  }
}

async function spinning(frame: FrameLocator, page: Page): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await tap(frame, '.spin');
    await page.waitForTimeout(cycle);
  }
}

/** Bets in the next round that takes bets, and sees it dealt, settled and shown. */
function dealing(spot: string): Play {
  return async (frame, page) => {
    await seen(frame, 'main.table[data-phase=result]');
    await seen(frame, 'main.table[data-phase=betting]');
    await tap(frame, `.cloth [data-spot="${spot}"]`);
    await tap(frame, 'button.confirm');
    await seen(frame, '[data-mine=staked]');
    await seen(frame, 'main.table[data-phase=result]');
    await page.waitForTimeout(shown);
  };
}

/** Waits within the page: the driver would look many times a second, and that would be measured, too. */
const seen = (frame: FrameLocator, what: string): Promise<void> =>
  frame.locator('body').evaluate(
    (body, [wanted, most]) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no ${wanted}`)), most);
        const look = (): void => {
          if (!body.querySelector(wanted)) return;
          watch.disconnect();
          clearTimeout(late);
          resolve();
        };
        const watch = new MutationObserver(look);
        watch.observe(body, {
          subtree: true,
          attributes: true,
          attributeFilter: ['data-phase', 'data-mine'],
        });
        look();
      }),
    [what, patience] as const,
  );

/** A tap by hand: what the driver does around one of its own would be measured too. */
const tap = (frame: FrameLocator, button: string): Promise<void> =>
  frame.locator(button).evaluate((element) => (element as HTMLElement).click());

/** Milliseconds that the game's own drawing took of the thread; the canvas is filled elsewhere. */
const scriptPerFrame = (events: readonly TraceEvent[]): number[] =>
  events
    .filter(({ name, ph }) => name === 'FireAnimationFrame' && ph === 'X')
    .map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000);

async function logIn(
  page: Page,
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<void> {
  const answer = await page.request.post(`${origin}/wps/session/login`, {
    data: { username, password, type: 'username' },
    headers: { Device: 'MOBILE' },
  });
  const { value } = (await answer.json()) as { value: Record<string, unknown> };
  const session: Record<string, unknown> = { ...value, merchantCode: 'fairground' };
  await page.addInitScript((items) => {
    for (const [key, text] of Object.entries(items)) localStorage.setItem(key, String(text));
  }, session);
}
