import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export type Part = 'Mobile number' | 'E-mail' | 'Payment password' | 'Security question';

/** The security screen and the sheets of its parts. */
export class Security extends App {
  row(part: Part): Locator {
    return this.main.getByRole('button', { name: this.text(part) });
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

  /** The way to log in again by an account elsewhere. */
  loginAgain(service: 'Facebook' | 'Google'): Locator {
    const name = this.text('{service} account').replace('{service}', service);
    return this.sheet.getByRole('button', { name, exact: true });
  }

  /** Says that the payment password is forgotten. */
  get forgotten(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Forgotten?'), exact: true });
  }

  get sendCode(): Locator {
    return this.sheet.getByRole('button', { name: this.text('Send code') });
  }

  /** Says how long until a code can be asked for again, once one was sent. */
  get codeSent(): Locator {
    const [before = '', after = ''] = this.text('Again in {0}').split('{0}');
    return this.sheet.getByRole('button', {
      name: new RegExp(`^${before}\\d+:\\d\\d${after}$`),
    });
  }

  /** Asks for a code until it was sent: a call that a slow server did not answer in time sends none. */
  async askForCode(): Promise<void> {
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

  /** Says yes to the question whether a login is to end. */
  async confirmEnd(): Promise<void> {
    await this.question
      .getByRole('button', { name: this.text('Log out there'), exact: true })
      .tap();
  }
}
