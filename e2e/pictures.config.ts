import journeys from './playwright.config.ts';

/** Takes pictures of every screen in every language, theme and width: `make pictures`. */
export default {
  ...journeys,
  testDir: 'pictures',
  timeout: 300_000,
  use: { ...journeys.use, deviceScaleFactor: 2 },
};
