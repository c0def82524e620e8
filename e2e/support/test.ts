import { test as base, expect } from '@playwright/test';

import { Server } from './server.ts';
import type { Language } from './text.ts';
import { listen } from './told.ts';

export type Theme = 'dark' | 'light';

/** An agent of the demo, with the same password. */
export const agent = 'agent88';

export const demo = { name: 'demo88', password: 'Demo1234' } as const;

/** How the app is to look before it is opened. */
export type Look = {
  language?: Language;
  theme?: Theme;
  /** Whether what pops up over home may: most journeys are about something else. */
  popups?: boolean;
};

export type Session = { token: string; userName: string; type: number; firstTimeLogin: boolean };

type Fixtures = {
  /** Opens a path of the app, with a look and perhaps a session already in its storage. */
  open: (path: string, look?: Look & { session?: Session }) => Promise<void>;
  /** A session made over the API, for journeys that do not begin at the login screen. */
  login: () => Promise<Session>;
};

type WorkerFixtures = {
  /** Whether the journeys leave wins behind: then they have a server that no others have. */
  played: boolean;
  /** Whether there is a jackpot to play for, as in the demo; else the one on show is an illustration. */
  pool: boolean;
  /** Whether that jackpot was won as often as it may be in a day, and rests. */
  rests: boolean;
  server: Server;
};

export const test = base.extend<Fixtures, WorkerFixtures>({
  // Tests with other worker options are run by other workers, and so with servers of their own.
  played: [false, { scope: 'worker', option: true }],

  pool: [true, { scope: 'worker', option: true }],

  rests: [false, { scope: 'worker', option: true }],

  server: [
    async ({ pool, rests }, use) => {
      const server = await Server.start();
      if (!pool) await withoutPool(server);
      if (rests) await letRest(server);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.origin),

  context: async ({ context, server }, use) => {
    // What one journey has used up of a limit is not to be missing in the next, whichever those two are.
    await server.uncount();
    await listen(context);
    await use(context);
  },

  // Every journey fails on an error that the page did not handle and on anything the policy refused.
  page: async ({ page }, use) => {
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && isOurFault(message.text())) wrong.push(message.text());
    });
    await use(page);
    expect(wrong, 'the page reported errors').toEqual([]);
  },

  open: async ({ page }, use) => {
    await use(async (path, { language, theme, session, popups = false } = {}) => {
      if (!popups) await page.context().addInitScript(closePopups);
      await page.addInitScript((items) => {
        // Only once a tab: what the journey changes afterwards must last over a reload. The window's
        // name lasts as long, and the app clears storage on logout.
        if (window.name === 'prepared' || window.origin === 'null') return;
        window.name = 'prepared';
        for (const [key, value] of items) localStorage.setItem(key, value);
      }, stored({ language, theme, session }));
      await page.goto(path);
    });
    // What is asked for as the journey ends is nobody's failure.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },

  login: async ({ request }, use) => {
    await use(async () => {
      const answer = await request.post('/wps/session/login', {
        data: { username: demo.name, password: demo.password, type: 'username' },
      });
      expect(answer.ok(), await answer.text()).toBe(true);
      return ((await answer.json()) as { value: Session }).value;
    });
  },
});

/**
 * For a context whose pages are to find popups closed before. Nothing is stored: a logout empties the storage, and whoever
 * has left would be greeted by them amid the journey.
 */
export function closePopups(): void {
  const kept = Object.getOwnPropertyDescriptor(Storage.prototype, 'getItem');
  const read = kept?.value as (this: Storage, key: string) => string | null;
  Storage.prototype.getItem = function (key: string): string | null {
    return key.startsWith('announcementPopup.') ? '{"show":false}' : read.call(this, key);
  };
}

function stored({ language, theme, session }: Look & { session?: Session }): [string, string][] {
  const items: [string, string][] = [];
  if (language) items.push(['lang', language]);
  if (theme) items.push(['theme', theme]);
  if (session) {
    for (const [key, value] of Object.entries(session)) items.push([key, String(value)]);
    items.push(['merchantCode', 'fairground']);
  }
  return items;
}

/** A refused or failed call, or part of the app, is the journey's own doing; other reports are not. */
function isOurFault(text: string): boolean {
  return !/Failed to load resource|net::ERR_|LoadFailure/.test(text);
}

export { expect };

/** Ends the demo's jackpot, for which nobody has played yet. */
/** Nobody can be made to win it: its wins are written down behind the server's back, and what was in it is gone. */
async function letRest(server: Server): Promise<void> {
  const pool = async () => {
    const answer = await fetch(`${server.origin}/wps/jackpot/pool`);
    return ((await answer.json()) as { value: { perDay: number; beginsAt: number } }).value;
  };
  const { perDay } = await pool();
  for (let won = 0; won < perDay; won += 1) {
    await server.change(
      `INSERT INTO jackpot_win (merchant_id, currency, series, member_id, ticket_id, amount, stake,
         nonce, number, seed, published_at, won_at)
       SELECT p.merchant_id, p.currency, p.series + ?, m.id, 0, p.amount, 10000,
         1, 0, p.seed, p.published_at, ?
       FROM jackpot_pool p JOIN member m ON m.merchant_id = p.merchant_id AND m.account = ?
       WHERE p.currency = 'VND'`,
      [won, Date.now(), demo.name],
    );
  }
  await server.change(
    `UPDATE jackpot_pool SET amount = 0, nonce = 0, series = series + ? WHERE currency = 'VND'`,
    [perDay],
  );
  await expect.poll(async () => (await pool()).beginsAt, { timeout: 60_000 }).toBeGreaterThan(0);
}

async function withoutPool(server: Server): Promise<void> {
  await server.set('jackpot.share', 0);
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${server.origin}/wps/system/jackpot`);
        return ((await answer.json()) as { value: { source: string } }).value.source;
      },
      { timeout: 60_000 },
    )
    .toBe('simulated');
}
