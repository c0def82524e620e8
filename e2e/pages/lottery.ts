import { expect, type FrameLocator, type Locator } from '@playwright/test';

import { App } from './app.ts';

export class Lottery extends App {
  get frame(): FrameLocator {
    return this.page.frameLocator('main iframe');
  }

  card(gameId: string): Locator {
    return this.main.locator(`a[href="/m/startLottery?gameId=${gameId}"]`);
  }

  get play(): Locator {
    return this.main.getByRole('link', { name: this.text('Play now'), exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name }).first();
  }

  /** Waits for the picker of the page in the frame, in the language and the theme of the app. */
  async expectGame(): Promise<void> {
    await expect(this.frame.locator('fieldset button').first()).toBeVisible();
    const root = this.frame.locator('html');
    await expect(root).toHaveAttribute('lang', this.language);
    const theme = await this.page.locator('html').getAttribute('data-theme');
    await expect(root).toHaveAttribute('data-theme', theme ?? '');
  }
}
