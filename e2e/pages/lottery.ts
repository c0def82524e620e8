import type { FrameLocator, Locator } from '@playwright/test';

import { App } from './app.ts';

/** The lottery's lobby in the app, and its page in a frame. */
export class Lottery extends App {
  get frame(): FrameLocator {
    return this.page.frameLocator('main iframe');
  }

  /** The card of a game in the lobby. */
  card(gameId: string): Locator {
    return this.main.locator(`a[href="/m/startLottery?gameId=${gameId}"]`);
  }

  get play(): Locator {
    return this.main.getByRole('link', { name: this.text('Play now'), exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name }).first();
  }
}
