import type { Page } from '@playwright/test';

import type { Language } from '../support/text.ts';

/** A screen in one of its states. It is opened once, in Vietnamese. After that, language and theme change in place. */
export type Screen = {
  name: string;
  path: string;
  member?: true;
  guest?: true;
  popups?: true;
  /** The state is an overlay. Only the overlay is checked, because the screen below it is checked separately. */
  overlay?: true;
  /** Runs only in the soak, because another screen has the same components. */
  soakOnly?: true;
  /** The picture shows the full page, not only the viewport. */
  fullPage?: true;
  /** Mocks responses before the screen is opened. */
  prepare?: (page: Page) => Promise<void>;
  /** Brings the opened screen into its state. */
  reach?: (page: Page) => Promise<void>;
  /** Waits until the state is shown, in any language. */
  expectReady: (page: Page, language: Language) => Promise<void>;
};
