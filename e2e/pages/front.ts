import type { Locator } from '@playwright/test';

import { Home } from './home.ts';

/** Home with its lower blocks, popups and floating buttons. */
export class Front extends Home {
  block(title: string): Locator {
    return this.main.getByRole('region', { name: this.text(title) });
  }

  caption(block: Locator): Locator {
    return block.getByText(this.text('demo_display'), { exact: true });
  }

  get popup(): Locator {
    return this.page.getByRole('dialog');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name: this.text(name), exact: true });
  }

  get serviceButton(): Locator {
    return this.page.getByRole('link', { name: this.text('Customer service'), exact: true });
  }

  get languageFloat(): Locator {
    return this.page.getByRole('combobox', { name: this.text('Language') });
  }

  /** Scrolls past the games until the lower blocks are loaded. */
  async scrollToEnd(): Promise<void> {
    await this.page.mouse.wheel(0, 800);
    await this.page.mouse.wheel(0, 600);
    await this.block('Jackpot').scrollIntoViewIfNeeded();
  }
}
