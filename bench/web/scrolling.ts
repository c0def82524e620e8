import { chromium as browsers, type CDPSession } from 'playwright-core';

import { percentile, type Row } from './row.ts';

const frame = 1000 / 60;
const slowdown = 4;

/** An event of a trace; times in microseconds. */
type TraceEvent = {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  pid: number;
  tid: number;
  args?: { name?: string };
};

/** The main thread's work while home is scrolled to its end and back, at a quarter of the speed. */
export async function measureScrolling(chromium: string, address: string): Promise<Row[]> {
  const browser = await browsers.launch({ executablePath: chromium });
  try {
    const page = await browser.newPage({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    await page.goto(address);
    await page.getByRole('main').locator('img').first().waitFor();
    await page.waitForLoadState('networkidle');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    let lowest = 0;
    const events = await trace(devtools, async () => {
      for (const distance of [-2400, 2400]) {
        await devtools.send('Input.synthesizeScrollGesture', {
          x: 195,
          y: 500,
          yDistance: distance,
          speed: 1200,
          // A touch gesture of the protocol moves no page in a browser without a screen; the wheel's does.
          gestureSourceType: 'mouse',
        });
        lowest = Math.max(lowest, await page.evaluate(() => window.scrollY));
      }
    });
    if (lowest < 1000) throw new Error(`home was scrolled to ${lowest} only`);
    const tasks = mainThreadTasks(events);
    const work = percentile(workPerFrame(tasks), 0.95);
    const longest = Math.max(...tasks.map((task) => task.dur ?? 0)) / 1000;
    return [
      {
        what: 'scrolling home at 4 × slowdown, main-thread work per frame, p95',
        measured: `${work.toFixed(1)} ms`,
        budget: '≤ 8 ms',
        held: work <= 8,
      },
      {
        what: 'scrolling home at 4 × slowdown, longest task',
        measured: `${longest.toFixed(0)} ms`,
        budget: '≤ 50 ms',
        held: longest <= 50,
      },
    ];
  } finally {
    await browser.close();
  }
}

async function trace(devtools: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  );
  await devtools.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
    },
    transferMode: 'ReportEvents',
  });
  await act();
  const done = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await done;
  return events;
}

/** The tasks of the page's own main thread: of all renderers, the one that did most. */
function mainThreadTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      threads.set(`${event.pid}/${event.tid}`, []);
  }
  for (const event of events) {
    if (event.name === 'RunTask' && event.ph === 'X')
      threads.get(`${event.pid}/${event.tid}`)?.push(event);
  }
  const busiest = [...threads.values()].toSorted((a, b) => total(b) - total(a))[0];
  if (!busiest?.length) throw new Error('the trace holds no task of a main thread');
  return busiest;
}

function total(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((sum, task) => sum + (task.dur ?? 0), 0);
}

/** Milliseconds of work that began in each frame's time, from the first task to the last. */
function workPerFrame(tasks: readonly TraceEvent[]): number[] {
  const start = Math.min(...tasks.map((task) => task.ts));
  const end = Math.max(...tasks.map((task) => task.ts));
  const frames = Array.from({ length: Math.ceil((end - start) / 1000 / frame) + 1 }, () => 0);
  for (const task of tasks) {
    const at = Math.floor((task.ts - start) / 1000 / frame);
    frames[at] = (frames[at] ?? 0) + (task.dur ?? 0) / 1000;
  }
  return frames;
}
