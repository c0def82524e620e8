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
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: results ? [['list'], ['json', { outputFile: results }]] : [['list']],
  use: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'vi-VN',
    // The worker would answer instead of the tests' own routes; the offline journey allows it.
    serviceWorkers: 'block',
    launchOptions: { executablePath: chromium },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
