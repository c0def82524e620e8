import { expect, type Locator } from '@playwright/test';

import { alterAnswer } from '../support/network.ts';
import { App } from './app.ts';

/** The login screen. */
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

  /** The way in by an account elsewhere, by the letter that stands for it. */
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

  /** The captcha's picture; all of it is the button for another one. */
  get picture(): Locator {
    return this.main.getByRole('button', { name: this.text('Another picture') }).locator('img');
  }

  /** Makes the next opening of the screen offer every way in, whatever the server is set up for. */
  async offerEveryWay(): Promise<void> {
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

  /** Fails by number, without a number. */
  async failByNumber(): Promise<void> {
    await this.byNumber.check({ force: true });
    await this.submit.tap();
    await expect(this.number).toHaveAttribute('aria-invalid', 'true');
    const said = this.page.getByText(this.text('errors.validation.required'));
    await expect(said.first()).toBeVisible();
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
