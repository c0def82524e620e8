import type { Locator } from '@playwright/test';

import { App } from './app.ts';

/** The registration screen. */
export class Register extends App {
  field(name: string): Locator {
    return this.main.locator(`input[name="${name}"]`);
  }

  tab(name: 'Username' | 'Mobile number'): Locator {
    return this.main.getByRole('radio', { name: this.text(name) });
  }

  get sendCode(): Locator {
    return this.main.getByRole('button', { name: this.text('Send code') });
  }

  get submit(): Locator {
    return this.main.getByRole('button', { name: this.text('Register'), exact: true });
  }

  get thumb(): Locator {
    return this.page.getByRole('slider');
  }

  async write(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }
}
