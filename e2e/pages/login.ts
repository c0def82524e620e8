import { expect, type Locator } from '@playwright/test';

import { alterAnswer } from '../support/network.ts';
import { App } from './app.ts';

export class Login extends App {
  get username(): Locator {
    return this.page.getByRole('textbox', { name: this.text('Username') });
  }

  get password(): Locator {
    return this.page.getByLabel(this.text('Password'), { exact: true });
  }

  get byNumber(): Locator {
    return this.main.getByRole('radio', { name: this.text('Mobile number') });
  }

  get number(): Locator {
    return this.main.locator('input[name="mobileNum"]');
  }

  get code(): Locator {
    return this.main.locator('input[name="verificationCode"]');
  }

  get sendCode(): Locator {
    return this.main.getByRole('button', { name: this.text('Send code') });
  }

  get rememberBox(): Locator {
    return this.main.getByRole('checkbox');
  }

  get trial(): Locator {
    return this.main.getByRole('link', { name: this.text('Play for free') });
  }

  externalLogin(service: 'Facebook' | 'Google'): Locator {
    const name = this.text('{service} account').replace('{service}', service);
    return this.main.getByRole('link', { name, exact: true });
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

  /** The captcha's picture, which is also the button for another one. */
  get picture(): Locator {
    return this.main.getByRole('button', { name: this.text('Another picture') }).locator('img');
  }

  /** Enables every way to log in, whatever the server's settings. */
  async enableEveryLogin(): Promise<void> {
    await alterAnswer(this.page, '**/wps/system/settings/consolidated', (value) => ({
      ...value,
      signIn: { ...value['signIn'], google: true, facebook: true },
    }));
    await alterAnswer(this.page, '**/wps/system/whitelabel', (value) => ({
      ...value,
      flags: { ...value['flags'], GOOGLELOGIN3: true, FACEBOOKLOGIN3: true },
    }));
    await alterAnswer(this.page, '**/wps/system/setting/register', (value) => ({
      ...value,
      slider: { ...value['slider'], login: true, register: true },
    }));
  }

  async failByNumber(): Promise<void> {
    await this.byNumber.check({ force: true });
    await this.submit.tap();
    await expect(this.number).toHaveAttribute('aria-invalid', 'true');
    const message = this.page.getByText(this.text('errors.validation.required'));
    await expect(message.first()).toBeVisible();
  }

  /** Fails with an error that requires a captcha. */
  async failAskingForCaptcha(): Promise<void> {
    const url = '**/wps/session/login';
    await this.page.route(url, (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/json',
        body: '{"success":false,"errorCode":"login.incorrect","args":{"captcha":"true"}}',
      }),
    );
    await this.logIn('player99', 'Secret123');
    await expect(this.picture).toBeVisible();
    await this.page.unroute(url);
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.username.fill(name);
    await this.password.fill(password);
    await this.submit.tap();
  }
}
