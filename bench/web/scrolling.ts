import { chromium as browsers, type CDPSession, type Page, type Route } from 'playwright-core';

import { percentile, type Row } from './row.ts';

const frameMs = 1000 / 60;
/** The processor of a slow phone takes this many times longer. */
export const slowdown = 4;

/** An event of a trace. Times are in microseconds. */
export type TraceEvent = {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  /** The CPU time of the thread. The rest of `dur` was spent waiting. */
  tdur?: number;
  pid: number;
  tid: number;
  args?: { name?: string };
};

const tiles = 500;

/** Measures the main thread's processor time while scrolling down and back: home twice, then a long list. */
export async function measureScrolling(chromium: string, origin: string): Promise<Row[]> {
  const browser = await browsers.launch({ executablePath: chromium });
  try {
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    // A popup would stop the scrolling.
    await page.addInitScript(() => {
      const { getItem: read } = Object.getOwnPropertyDescriptors(Storage.prototype);
      Storage.prototype.getItem = function (key: string) {
        return key.startsWith('announcementPopup.')
          ? '{"show":false}'
          : read.value!.call(this, key);
      };
    });
    const devtools = await page.context().newCDPSession(page);

    await page.goto(`${origin}/m/home`);
    await page.getByRole('main').locator('img').first().waitFor();
    await page.waitForLoadState('networkidle');
    const home = await scroll(page, devtools, 2400);
    await page.waitForTimeout(3000);
    const secondScroll = await scroll(page, devtools, 2400);

    await page.route('**/wps/relay/GCSGAME_gameList**', serveManyGames);
    await page.goto(`${origin}/m/gameList`);
    await page
      .getByRole('article')
      .nth(tiles - 1)
      .waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    const list = await scroll(page, devtools, 9600);
    return [
      ...rowsOf('scrolling home for the first time', home),
      ...rowsOf('scrolling home again', secondScroll),
      ...rowsOf(`scrolling a list of ${tiles} tiles`, list),
    ];
  } finally {
    await browser.close();
  }
}

function rowsOf(what: string, tasks: readonly TraceEvent[]): Row[] {
  const work = percentile(workPerFrame(tasks), 0.95) * slowdown;
  const longest = Math.max(...tasks.map(worked)) * slowdown;
  return [
    {
      what: `${what} at 4 × slowdown, processor time per frame, p95`,
      measured: `${work.toFixed(1)} ms`,
      budget: '≤ 12 ms',
      held: work <= 12,
    },
    {
      what: `${what} at 4 × slowdown, processor time of the longest task`,
      measured: `${longest.toFixed(0)} ms`,
      budget: '≤ 50 ms',
      held: longest <= 50,
    },
  ];
}

/** Scrolls down and back, and returns the tasks of the main thread. */
async function scroll(page: Page, devtools: CDPSession, distance: number): Promise<TraceEvent[]> {
  let lowest = 0;
  const events = await trace(devtools, async () => {
    for (const yDistance of [-distance, distance]) {
      await devtools.send('Input.synthesizeScrollGesture', {
        x: 195,
        y: 500,
        yDistance,
        speed: 1200,
        // Synthesized touch gestures do not scroll a headless page, but wheel gestures do.
        gestureSourceType: 'mouse',
      });
      lowest = Math.max(lowest, await page.evaluate(() => window.scrollY));
    }
  });
  if (lowest < 1000) throw new Error(`the page was scrolled to ${lowest} only`);
  return mainThreadTasks(events);
}

/** Responds with `tiles` games in one page. It repeats the games of the first page under new ids. */
async function serveManyGames(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.json()) as { value: { games: { nodeId: string }[] } };
  const { games } = body.value;
  const many = Array.from({ length: tiles }, (_, index) => ({
    ...games[index % games.length],
    nodeId: String(index + 1),
  }));
  const value = { ...body.value, games: many, pageNum: 1, totalPages: 1, total: tiles };
  await route.fulfill({ response, json: { ...body, value } });
}

export async function trace(
  devtools: CDPSession,
  action: () => Promise<void>,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) =>
    void events.push(...(value as unknown as TraceEvent[]));
  devtools.on('Tracing.dataCollected', collect);
  await devtools.send('Tracing.start', {
    traceConfig: {
      includedCategories: [
        'toplevel',
        'devtools.timeline',
        'disabled-by-default-devtools.timeline',
        '__metadata',
      ],
    },
    transferMode: 'ReportEvents',
  });
  await action();
  const done = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await done;
  devtools.off('Tracing.dataCollected', collect);
  return events;
}

/** Returns the tasks of the busiest renderer's main thread. */
export function mainThreadTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      threads.set(`${event.pid}/${event.tid}`, []);
  }
  for (const event of events) {
    if (event.name === 'RunTask' && event.ph === 'X')
      threads.get(`${event.pid}/${event.tid}`)?.push(event);
  }
  const busiest = [...threads.values()].toSorted((a, b) => totalDuration(b) - totalDuration(a))[0];
  if (!busiest?.length) throw new Error('the trace has no main-thread task');
  return busiest;
}

function totalDuration(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((sum, task) => sum + (task.dur ?? 0), 0);
}

/** Returns the milliseconds that a task worked, without the time it waited. */
export const worked = (task: TraceEvent): number => (task.tdur ?? task.dur ?? 0) / 1000;

export function workPerFrame(tasks: readonly TraceEvent[]): number[] {
  const start = Math.min(...tasks.map((task) => task.ts));
  const end = Math.max(...tasks.map((task) => task.ts));
  const frames = Array.from({ length: Math.ceil((end - start) / 1000 / frameMs) + 1 }, () => 0);
  for (const task of tasks) {
    const index = Math.floor((task.ts - start) / 1000 / frameMs);
    frames[index] = (frames[index] ?? 0) + worked(task);
  }
  return frames;
}
