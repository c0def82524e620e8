import { expect, type Locator } from '@playwright/test';

import { told } from '../support/told.ts';
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

  /** The box that confirms the age: empty at first. */
  get age(): Locator {
    return this.field('ageConfirmed');
  }

  get agreement(): Locator {
    return this.main.getByRole('checkbox').last();
  }

  /** Says to be old enough, and sends the form. */
  async send(): Promise<void> {
    await this.age.check({ force: true });
    await this.submit.tap();
  }

  /** Sends the form and waits until the new member has been welcomed, however briefly. Gives the name that was read. */
  async join(): Promise<string> {
    const [before = '', after = ''] = this.text('Welcome, {name}!').split('{name}');
    const welcome = new RegExp(`${before}(.+?)${after}`);
    const greeted = () => welcome.exec(told(this.page).join('\n'))?.[1] ?? '';
    await this.send();
    await expect.poll(greeted).not.toBe('');
    return greeted();
  }

  get thumb(): Locator {
    return this.page.getByRole('slider');
  }

  async write(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }
}
