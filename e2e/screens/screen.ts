import type { Page } from '@playwright/test';

import type { Language } from '../support/text.ts';

/**
 * A screen in one of its states, to be looked at in every language and theme. It is brought there once, in Vietnamese;
 * language and theme then change in place, as they do when another tab chooses them.
 */
export type Screen = {
  name: string;
  path: string;
  /** Opened with the demo member's session. */
  member?: true;
  /** Opened with the session of somebody who tries it with play money. */
  guest?: true;
  /** What pops up over home may. */
  popups?: true;
  /** It is something over a screen that is looked at by itself: only what lies above is judged again. */
  over?: true;
  /** Another screen of the list is made of the same parts, so the gate leaves this one to the soak. */
  soak?: true;
  /** More than the first view is worth a picture. */
  whole?: true;
  /** Before it is opened: what the server is to answer. */
  prepare?: (page: Page) => Promise<void>;
  /** What is done on it. */
  reach?: (page: Page) => Promise<void>;
  /** What then is seen, in whichever language. */
  stands: (page: Page, language: Language) => Promise<void>;
};
