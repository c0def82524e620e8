import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export class Trial extends App {
  get age(): Locator {
    return this.main.getByRole('checkbox');
  }

  get start(): Locator {
    return this.main.getByRole('button', { name: this.text('Start playing') });
  }

  /** Starts free play where it is switched off. */
  async failToStart(): Promise<void> {
    const url = '**/wps/session/login/freeplay';
    await this.page.route(url, (route) =>
      route.fulfill({
        json: { success: true, value: { firstTimeLogin: false, trialIndicator: 0 } },
      }),
    );
    // By key: a tap could miss while the page transition moves the box.
    await this.age.press('Space');
    await expect(this.age).toBeChecked();
    await this.start.tap();
    await expect(this.failure).not.toBeEmpty();
    await this.page.unroute(url);
  }

  get failure(): Locator {
    return this.main.getByRole('alert');
  }

  get playMoney(): Locator {
    return this.header.locator('bdi').filter({ hasText: 'FUN' });
  }
}
