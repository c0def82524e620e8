import type { Locator } from '@playwright/test';

import { App } from './app.ts';

export class Home extends App {
  get hotGames(): Locator {
    return this.page.getByRole('region', { name: this.text('Hot games'), exact: true });
  }

  get tiles(): Locator {
    return this.hotGames.getByRole('article');
  }

  /** The notice ticker. It is empty while the notices load. */
  get notices(): Locator {
    return this.main.locator('a[href="/m/notice"]');
  }

  get banners(): Locator {
    return this.page.getByRole('region', { name: this.text('Banners'), exact: true });
  }

  get failure(): Locator {
    return this.main.getByRole('button', { name: this.text('Load failed, tap to retry') });
  }
}
