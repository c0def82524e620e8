import { expect, type Locator } from '@playwright/test';

import { App } from './app.ts';

export class Member extends App {
  get balanceAmount(): Locator {
    return this.main.locator('section bdi').filter({ hasText: /₫|•/ });
  }

  get hideBalanceButton(): Locator {
    return this.main.getByRole('button', { name: this.text('Hide the balance'), exact: true });
  }

  get settingsButton(): Locator {
    return this.main.getByRole('button', { name: this.text('Settings'), exact: true });
  }

  get settingsSheet(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Settings'), exact: true });
  }

  get picture(): Locator {
    return this.main.locator('a[href="/m/member/profile"] img').first();
  }

  get shortcuts(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Shortcuts'), exact: true });
  }

  /** The link in the security card to one part of the security screen. */
  securityLink(part: 'mobile' | 'email' | 'payment'): Locator {
    return this.main.locator(`a[href="/m/member/security?part=${part}"]`);
  }

  get logOutButton(): Locator {
    return this.main.getByRole('button', { name: this.text('Log out'), exact: true });
  }

  /** Waits until the whole screen is loaded. */
  async expectReady(): Promise<void> {
    await expect(this.balanceAmount).toContainText('₫');
    await expect(this.shortcuts.getByRole('link')).toHaveCount(8);
    await expect(this.securityLink('email')).toBeVisible();
  }
}
