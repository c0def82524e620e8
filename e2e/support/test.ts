import { test as base, expect } from '@playwright/test';

import { recordMessages } from './messages.ts';
import { watchErrors } from './page-errors.ts';
import { Server } from './server.ts';
import type { Language } from './text.ts';

export type Theme = 'dark' | 'light';

export const agent = 'agent88';

export const demo = { name: 'demo88', password: 'Demo1234' } as const;

export type Look = {
  language?: Language;
  theme?: Theme;
  popups?: boolean;
};

export type Session = { token: string; userName: string; type: number; firstTimeLogin: boolean };

type Fixtures = {
  /** Opens a path with the given look and session. */
  open: (path: string, look?: Look & { session?: Session }) => Promise<void>;
  /** Logs in the demo member over the API. */
  login: () => Promise<Session>;
};

type WorkerFixtures = {
  /** Whether the tests create wins. They get a separate server. */
  leavesWins: boolean;
  /** Whether there is a real jackpot. Otherwise the app shows a simulated one. */
  pool: boolean;
  /** Whether the jackpot has reached its daily number of wins and pauses. */
  isJackpotPaused: boolean;
  server: Server;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Tests with other worker options run in other workers, with separate servers.
  leavesWins: [false, { scope: 'worker', option: true }],

  pool: [true, { scope: 'worker', option: true }],

  isJackpotPaused: [false, { scope: 'worker', option: true }],

  server: [
    async ({ pool, isJackpotPaused }, use) => {
      const server = await Server.start();
      if (!pool) await removeJackpot(server);
      if (isJackpotPaused) await pauseJackpot(server);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.origin),

  context: async ({ context, server }, use) => {
    // Tests must not share their rate limits.
    await server.resetLimits();
    await recordMessages(context);
    await use(context);
  },

  // Every test fails on an unhandled error and on a violation of the content security policy.
  page: async ({ page }, use) => {
    const expectNoErrors = watchErrors(page);
    await use(page);
    expectNoErrors();
  },

  open: async ({ page }, use) => {
    await use(async (path, { language, theme, session, popups = false } = {}) => {
      if (!popups) await page.context().addInitScript(closePopups);
      await page.addInitScript((items) => {
        // Runs only once per tab, because later changes must survive a reload. The window's name marks the tab, because a logout clears the storage.
        if (window.name === 'prepared' || window.origin === 'null') return;
        window.name = 'prepared';
        for (const [key, value] of items) localStorage.setItem(key, value);
      }, storageItems({ language, theme, session }));
      await page.goto(path);
    });
    // Requests that are still running at the end do not matter.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },

  login: async ({ request }, use) => {
    await use(async () => {
      const response = await request.post('/wps/session/login', {
        data: { username: demo.name, password: demo.password, type: 'username' },
      });
      expect(response.ok(), await response.text()).toBe(true);
      return ((await response.json()) as { value: Session }).value;
    });
  },
});

/** Makes all popups look dismissed. Nothing is stored, because a logout clears the storage. */
export function closePopups(): void {
  const descriptor = Object.getOwnPropertyDescriptor(Storage.prototype, 'getItem');
  const read = descriptor?.value as (this: Storage, key: string) => string | null;
  Storage.prototype.getItem = function (key: string): string | null {
    return key.startsWith('announcementPopup.') ? '{"show":false}' : read.call(this, key);
  };
}

/** Returns what the app stores of a look and a session. */
export function storageItems({
  language,
  theme,
  session,
}: Look & { session?: Session }): [string, string][] {
  const items: [string, string][] = [];
  if (language) items.push(['lang', language]);
  if (theme) items.push(['theme', theme]);
  if (session) {
    for (const [key, value] of Object.entries(session)) items.push([key, String(value)]);
    items.push(['merchantCode', 'fairground']);
  }
  return items;
}

export { expect };

/** Pauses the demo jackpot: inserts the daily number of wins into the database and empties the pool. */
async function pauseJackpot(server: Server): Promise<void> {
  const pool = async () => {
    const response = await fetch(`${server.origin}/wps/jackpot/pool`);
    return ((await response.json()) as { value: { perDay: number; beginsAt: number } }).value;
  };
  const { perDay } = await pool();
  for (let won = 0; won < perDay; won += 1) {
    await server.updateRow(
      `INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake,
         nonce, number, seed, published_at, won_at)
       SELECT p.merchant_id, p.currency, p.series + ?, m.id, 0, p.amount, 10000,
         1, 0, p.seed, p.published_at, ?
       FROM jackpot_pool p JOIN member m ON m.merchant_id = p.merchant_id AND m.account = ?
       WHERE p.currency = 'VND'`,
      [won, Date.now(), demo.name],
    );
  }
  await server.updateRow(
    `UPDATE jackpot_pool SET amount = 0, nonce = 0, series = series + ? WHERE currency = 'VND'`,
    [perDay],
  );
  await expect.poll(async () => (await pool()).beginsAt, { timeout: 60_000 }).toBeGreaterThan(0);
}

async function removeJackpot(server: Server): Promise<void> {
  await server.set('jackpot.share', 0);
  await expect
    .poll(
      async () => {
        const response = await fetch(`${server.origin}/wps/system/jackpot`);
        return ((await response.json()) as { value: { source: string } }).value.source;
      },
      { timeout: 60_000 },
    )
    .toBe('simulated');
}
