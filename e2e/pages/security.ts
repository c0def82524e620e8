import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export type SecurityRow = 'Mobile number' | 'E-mail' | 'Payment password' | 'Security question';

export class Security extends App {
  row(row: SecurityRow): Locator {
    return this.main.getByRole('button', { name: this.text(row) });
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog');
  }

  field(name: string): Locator {
    return this.sheet.locator(`[name="${name}"]`);
  }

  async write(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }

  loginAgain(service: 'Facebook' | 'Google'): Locator {
    const name = this.text('{service} account').replace('{service}', service);
    return this.sheet.getByRole('button', { name, exact: true });
  }

  get forgotten(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Forgotten?'), exact: true });
  }

  get sendCode(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Send code') });
  }

  /** The button during its countdown, after a code was sent. */
  get codeSent(): Locator {
    const [before = '', after = ''] = this.text('Again in {0}').split('{0}');
    return this.sheet.getByRole('button', {
      name: new RegExp(`^${before}\\d+:\\d\\d${after}$`),
    });
  }

  /** Requests a code, and retries if a slow server timed out. */
  async requestCode(): Promise<void> {
    await expect(async () => {
      await expect(this.sendCode.or(this.codeSent)).toBeVisible();
      if (await this.sendCode.isVisible()) await this.sendCode.tap({ timeout: 60_000 });
      await expect(this.codeSent).toBeVisible();
    }).toPass();
  }

  get save(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Save'), exact: true });
  }

  get sessions(): Locator {
    return this.main.locator('section li');
  }

  get endOthers(): Locator {
    return this.main.getByRole('button', {
      name: this.text('Log out everywhere else'),
      exact: true,
    });
  }

  async confirmEnd(): Promise<void> {
    await this.question
      .getByRole('button', { name: this.text('Log out there'), exact: true })
      .tap();
  }
}
