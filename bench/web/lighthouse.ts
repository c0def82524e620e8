import { createServer } from 'node:net';

import lighthouse from 'lighthouse';
import { chromium as browsers } from 'playwright-core';

import { median, type Row } from './row.ts';

const runs = 3;

type Sample = {
  performance: number;
  accessibility: number;
  lcp: number;
  cls: number;
  bytes: number;
};

/** Returns the median of three Lighthouse runs on a simulated slow phone and network. */
export async function measureLighthouse(chromium: string, url: string): Promise<Row[]> {
  const samples: Sample[] = [];
  for (let i = 0; i < runs; i++) samples.push(await sample(chromium, url));
  const medianOf = (valueOf: (result: Sample) => number) => median(samples.map(valueOf));
  const performance = medianOf((result) => result.performance);
  const accessibility = Math.min(...samples.map((result) => result.accessibility));
  const lcp = medianOf((result) => result.lcp);
  const cls = medianOf((result) => result.cls);
  const bytes = medianOf((result) => result.bytes);
  return [
    unbudgeted('home, Lighthouse performance, on a simulated clock', String(performance)),
    {
      what: 'home, Lighthouse accessibility',
      measured: String(accessibility),
      budget: '100',
      held: accessibility === 100,
    },
    unbudgeted('home, largest paint, on a simulated clock', `${(lcp / 1000).toFixed(2)} s`),
    { what: 'home, layout shift', measured: cls.toFixed(3), budget: '≤ 0.02', held: cls <= 0.02 },
    unbudgeted('home, bytes that come over the line', `${(bytes / 1024).toFixed(0)} KB`),
  ];
}

const unbudgeted = (what: string, measured: string): Row => ({
  what,
  measured,
  budget: 'none',
  held: null,
});

async function sample(chromium: string, url: string): Promise<Sample> {
  const port = await freePort();
  const browser = await browsers.launch({
    executablePath: chromium,
    args: [`--remote-debugging-port=${port}`],
  });
  try {
    const result = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: ['performance', 'accessibility'],
      formFactor: 'mobile',
      throttlingMethod: 'simulate',
    });
    if (!result) throw new Error('Lighthouse returned no result');
    const { categories, audits, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    return {
      performance: Math.round((categories['performance']?.score ?? 0) * 100),
      accessibility: Math.round((categories['accessibility']?.score ?? 0) * 100),
      lcp: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
      cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      bytes: audits['total-byte-weight']?.numericValue ?? Number.NaN,
    };
  } finally {
    await browser.close();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
