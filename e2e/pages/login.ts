import { expect, type Locator } from '@playwright/test';

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

  get captcha(): Locator {
    return this.main.locator('input[name="captcha"]');
  }

  /** The captcha's picture; all of it is the button for another one. */
  get picture(): Locator {
    return this.main.getByRole('button', { name: this.text('Another picture') }).locator('img');
  }

  /** A refusal that asks for a captcha, whatever the server's own limit for it is. */
  async failAskingForCaptcha(): Promise<void> {
    const address = '**/wps/session/login';
    await this.page.route(address, (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '{"success":false,"errorCode":"login.incorrect","args":{"captcha":"true"}}',
      }),
    );
    await this.logIn('player99', 'Secret123');
    await expect(this.picture).toBeVisible();
    await this.page.unroute(address);
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.username.fill(name);
    await this.password.fill(password);
    await this.submit.tap();
  }
}
