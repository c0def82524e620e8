import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export class Forget extends App {
  field(name: string): Locator {
    return this.main.locator(`input[name="${name}"]`);
  }

  channel(name: 'Text message' | 'E-mail'): Locator {
    return this.main.getByRole('radio', { name: this.text(name) });
  }

  button(name: 'Back' | 'Send code' | 'Continue' | 'Set the new password'): Locator {
    return this.main.getByRole('button', { name: this.text(name), exact: true });
  }

  get failure(): Locator {
    return this.main.locator('form').getByRole('alert');
  }

  /** The button to send another code, during its countdown. */
  get wait(): Locator {
    return this.main.getByRole('button', { name: /\d:\d\d/ });
  }

  /** Goes to a step. All requests on the way are mocked and succeed. */
  async reach(step: 'code' | 'password'): Promise<void> {
    const responses = {
      '**/wps/member/password/sms': { expiredMinutes: 5, expirationTime: Date.now() + 300_000 },
      '**/wps/member/password/sms/verification': { ticket: 'ticket' },
    };
    for (const [url, value] of Object.entries(responses))
      await this.page.route(url, (route) => route.fulfill({ json: { success: true, value } }));
    await this.write({ mobileNum: '912345678', captcha: '123456' });
    await this.button('Send code').tap();
    await expect(this.field('verificationCode')).toBeVisible();
    if (step === 'code') return;
    await this.write({ verificationCode: '123456' });
    await this.button('Continue').tap();
    await expect(this.field('newPassword')).toBeVisible();
  }

  async write(values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
  }
}
