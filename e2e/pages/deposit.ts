import { expect, type Locator, type Page } from '@playwright/test';

import { App } from './app.ts';

export class Deposit extends App {
  get amount(): Locator {
    return this.main.locator('input[name="amount"]');
  }

  method(name: string): Locator {
    return this.main.locator('label').filter({ hasText: name });
  }

  button(id: string): Locator {
    return this.main.getByRole('button', { name: this.text(id), exact: true });
  }

  get code(): Locator {
    return this.main.getByRole('img', { name: this.text('Payment code') });
  }

  /** A row of the payment's details, such as the account number. */
  detail(id: string): Locator {
    return this.main
      .locator('dl > div')
      .filter({ hasText: this.text(id) })
      .locator('dd')
      .first();
  }

  get declineLimit(): Locator {
    return this.page.getByRole('button', {
      name: this.text('Continue without a limit'),
      exact: true,
    });
  }

  async sendProof(buffer: Buffer): Promise<void> {
    await this.button('I have paid').tap();
    const sheet = this.page.getByRole('dialog', { name: this.text('Show us your payment') });
    await sheet
      .locator('input[type="file"]')
      .setInputFiles({ name: 'payment.png', mimeType: 'image/png', buffer });
    await sheet.getByRole('button', { name: this.text('Send the picture'), exact: true }).tap();
    await expect(sheet).toBeHidden();
  }

  /** Opens the gateway's page, which is another tab. */
  async openPaymentPage(): Promise<Page> {
    const opened = this.page.context().waitForEvent('page');
    await this.main.getByRole('link', { name: this.text('Open the payment page') }).tap();
    return opened;
  }
}
