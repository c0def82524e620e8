import type { Page } from '@playwright/test';

import type { Language } from '../support/text.ts';

/** A screen in one of its states. It is opened once, in Vietnamese; language and theme then change in place. */
export type Screen = {
  name: string;
  path: string;
  member?: true;
  guest?: true;
  popups?: true;
  /** An overlay on a screen that is checked separately: only the overlay is checked. */
  over?: true;
  /** Left to the soak, because another screen has the same components. */
  soak?: true;
  whole?: true;
  /** Mocks answers before the screen is opened. */
  prepare?: (page: Page) => Promise<void>;
  /** Brings the opened screen into its state. */
  reach?: (page: Page) => Promise<void>;
  /** Waits until the state is shown, in any language. */
  expectReady: (page: Page, language: Language) => Promise<void>;
};
