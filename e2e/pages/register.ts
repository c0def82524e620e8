import { expect, type Locator } from '@playwright/test';

import { shownMessages } from '../support/messages.ts';
import { App } from './app.ts';

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

  /** The box that confirms the age, unchecked by default. */
  get age(): Locator {
    return this.field('ageConfirmed');
  }

  get agreement(): Locator {
    return this.main.getByRole('checkbox').last();
  }

  async send(): Promise<void> {
    await this.#check(this.age);
    await this.submit.tap();
  }

  async agree(): Promise<void> {
    await this.#check(this.agreement);
  }

  /** Checks a box by key: a tap could miss while the page transition moves it. */
  async #check(box: Locator): Promise<void> {
    await expect(this.submit).toBeVisible();
    if (!(await box.isChecked())) await box.press('Space');
    await expect(box).toBeChecked();
  }

  /** Submits the form and returns the name in the welcome toast. */
  async join(): Promise<string> {
    const [before = '', after = ''] = this.text('Welcome, {name}!').split('{name}');
    const welcome = new RegExp(`${before}(.+?)${after}`);
    const greetedName = () => welcome.exec(shownMessages(this.page).join('\n'))?.[1] ?? '';
    await this.send();
    await expect.poll(greetedName).not.toBe('');
    return greetedName();
  }

  get thumb(): Locator {
    return this.page.getByRole('slider');
  }

  async write(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }
}
