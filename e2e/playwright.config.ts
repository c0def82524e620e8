import { execFileSync } from 'node:child_process';

import { defineConfig } from '@playwright/test';

const results = process.env['FAIRGROUND_RESULTS'];
// `make soak` also runs the tests tagged @soak, and retries nothing.
const soak = Boolean(process.env['FAIRGROUND_SOAK']);
// The soak uses the installed browser, which is as recent as the browsers of players.
const chromiumFlag = soak ? '--chromium' : '--own-chromium';
const chromium = execFileSync('../scripts/setup.sh', [chromiumFlag], { encoding: 'utf8' }).trim();

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'results/failures',
  fullyParallel: true,
  workers: 2,
  // scripts/summary.mjs reports a test that passes on a retry as flaky.
  retries: soak ? 0 : 2,
  // More failures than this mean that something is broken that affects all tests.
  ...(!soak && { grepInvert: /@soak/, maxFailures: 8 }),
  forbidOnly: true,
  // These limits end hanging tests. Tests that measure time use the page's clock.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: results ? [['list'], ['json', { outputFile: results }]] : [['list']],
  use: {
    viewport: { width: 390, height: 844 },
    // The CPU renders the pages: a scale factor of 2 takes 50 % longer. Pictures use 2.
    deviceScaleFactor: 1,
    isMobile: true,
    hasTouch: true,
    locale: 'vi-VN',
    // A service worker would bypass the mocked routes of the tests. Offline tests allow it.
    serviceWorkers: 'block',
    // Reduced motion saves a seventh of the time. Tests of animations, and the soak, run with motion.
    ...(!soak && { contextOptions: { reducedMotion: 'reduce' as const } }),
    launchOptions: { executablePath: chromium },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
});
