import type { Locator } from '@playwright/test';

import { App } from './app.ts';

/** The login screen. */
export class Login extends App {
  get username(): Locator {
    return this.page.getByRole('textbox', { name: this.text('Username') });
  }

  get password(): Locator {
    return this.page.getByLabel(this.text('Password'), { exact: true });
  }

  get submit(): Locator {
    return this.main.getByRole('button', { name: this.text('Login'), exact: true });
  }

  get failure(): Locator {
    return this.main.getByRole('alert');
  }

  get languagePicker(): Locator {
    return this.page.getByRole('combobox', { name: this.text('Language') });
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.username.fill(name);
    await this.password.fill(password);
    await this.submit.tap();
  }
}
