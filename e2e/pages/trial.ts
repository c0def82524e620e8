import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

/** The screen where playing without an account begins. */
export class Trial extends App {
  get age(): Locator {
    return this.main.getByRole('checkbox');
  }

  get start(): Locator {
    return this.main.getByRole('button', { name: this.text('Start playing') });
  }

  /** Tries it where it is switched off. */
  async failToStart(): Promise<void> {
    const address = '**/wps/session/login/freeplay';
    await this.page.route(address, (route) =>
      route.fulfill({
        json: { success: true, value: { firstTimeLogin: false, trialIndicator: 0 } },
      }),
    );
    // Typed, so that a page that still comes in does not move the box away; the box itself is not to be seen.
    await this.age.press('Space');
    await expect(this.age).toBeChecked();
    await this.start.tap();
    await expect(this.failure).not.toBeEmpty();
    await this.page.unroute(address);
  }

  get failure(): Locator {
    return this.main.getByRole('alert');
  }

  /** What there is to play with. */
  get playMoney(): Locator {
    return this.header.locator('bdi').filter({ hasText: 'FUN' });
  }
}
