import { execFileSync } from 'node:child_process';

import { defineConfig } from '@playwright/test';

const results = process.env['FAIRGROUND_RESULTS'];
// `make soak`: also what is tagged @soak, and nothing is tried twice.
const soak = Boolean(process.env['FAIRGROUND_SOAK']);
// The soak meets the installed browser, as players' phones have one of today.
const which = soak ? '--chromium' : '--own-chromium';
const chromium = execFileSync('../scripts/setup.sh', [which], { encoding: 'utf8' }).trim();

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'results/failures',
  fullyParallel: true,
  workers: 2,
  // scripts/summary.mjs reports a test that passes on a retry as flaky.
  retries: soak ? 0 : 2,
  // Where this many failed for good something is broken that all the others would wait for, too.
  ...(!soak && { grepInvert: /@soak/, maxFailures: 8 }),
  forbidOnly: true,
  // Deadlines end what hangs; what measures time does so by the page's clock.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: results ? [['list'], ['json', { outputFile: results }]] : [['list']],
  use: {
    viewport: { width: 390, height: 844 },
    // Pixels are painted by the processor here: four times as many took half as long again. Pictures have two.
    deviceScaleFactor: 1,
    isMobile: true,
    hasTouch: true,
    locale: 'vi-VN',
    // The worker would answer instead of the tests' own routes; the offline journey allows it.
    serviceWorkers: 'block',
    // Nothing moves by itself in the gate, which saves a seventh of its time; what moves asks for it, and the soak moves.
    ...(!soak && { contextOptions: { reducedMotion: 'reduce' as const } }),
    launchOptions: { executablePath: chromium },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
});
