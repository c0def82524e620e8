import { test as base, expect } from '@playwright/test';

import { Server } from './server.ts';
import type { Language } from './text.ts';

export type Theme = 'dark' | 'light';

export const demo = { name: 'demo88', password: 'Demo1234' } as const;

/** How the app is to look before it is opened. */
export type Look = { language?: Language; theme?: Theme };

export type Session = { token: string; userName: string; type: number; firstTimeLogin: boolean };

type Fixtures = {
  /** Opens a path of the app, with a look and perhaps a session already in its storage. */
  open: (path: string, look?: Look & { session?: Session }) => Promise<void>;
  /** A session made over the API, for journeys that do not begin at the login screen. */
  login: () => Promise<Session>;
};

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.origin),

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
    await use(async (path, { language, theme, session } = {}) => {
      await page.addInitScript((items) => {
        // Only once a tab: what the journey changes afterwards must last over a reload. The window's
        // name lasts as long, and the app clears storage on logout.
        if (window.name === 'prepared') return;
        window.name = 'prepared';
        for (const [key, value] of items) localStorage.setItem(key, value);
      }, stored({ language, theme, session }));
      await page.goto(path);
    });
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
