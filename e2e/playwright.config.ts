import { execFileSync } from 'node:child_process';

import { defineConfig } from '@playwright/test';

const chromium = execFileSync('../scripts/setup.sh', ['--chromium'], { encoding: 'utf8' }).trim();
const results = process.env['FAIRGROUND_RESULTS'];

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'results/failures',
  fullyParallel: true,
  workers: 2,
  // A test that passes only sometimes is a failing test.
  retries: 0,
  forbidOnly: true,
  // A busy machine is slow, not wrong: what measures time does so by the page's clock.
  timeout: 300_000,
  expect: { timeout: 60_000 },
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
    launchOptions: { executablePath: chromium },
    // Keeping a trace of every journey for the few that fail costs a good part of their time: ask for it and run it again.
    trace: process.env['FAIRGROUND_TRACE'] ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
