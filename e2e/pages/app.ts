import { expect, type Locator, type Page } from '@playwright/test';

import { shownMessages } from '../support/messages.ts';
import { translate, type Language } from '../support/text.ts';

export class App {
  readonly page: Page;
  readonly language: Language;

  constructor(page: Page, language: Language = 'vi') {
    this.page = page;
    this.language = language;
  }

  text(id: string): string {
    return translate(this.language, id);
  }

  get header(): Locator {
    return this.page.getByRole('banner');
  }

  get main(): Locator {
    return this.page.getByRole('main');
  }

  get backButton(): Locator {
    return this.header.getByRole('button', { name: this.text('Back'), exact: true });
  }

  async goTo(path: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, '', to), path);
  }

  get title(): Locator {
    return this.page.getByRole('heading', { level: 1 });
  }

  get bottomMenu(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Main'), exact: true });
  }

  menuItems(): Promise<string[]> {
    return this.bottomMenu
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => `${link.textContent.trim()} ${link.getAttribute('href')}`),
      );
  }

  menuItem(id: string): Locator {
    return this.bottomMenu.getByRole('link', { name: this.text(id) });
  }

  get loginLink(): Locator {
    return this.header.getByRole('link', { name: this.text('Login'), exact: true });
  }

  get logoutButton(): Locator {
    return this.header.getByRole('button', { name: this.text('Log out'), exact: true });
  }

  get balance(): Locator {
    return this.header.locator('bdi').filter({ hasText: '₫' });
  }

  /** The balance in whole units: the demo's currency has no decimals. */
  async balanceValue(): Promise<number> {
    return Number((await this.balance.innerText()).replaceAll(/\D/g, ''));
  }

  get question(): Locator {
    return this.page.getByRole('alertdialog');
  }

  async logOut(): Promise<void> {
    await this.logoutButton.tap();
    await this.question.getByRole('button', { name: this.text('Log out'), exact: true }).tap();
  }

  /** The bar that reports a missing network. */
  get offlineBar(): Locator {
    return this.page.getByRole('status').filter({ hasText: this.text('errors.network.offline') });
  }

  /** Runs an action and expects a toast or alert, even one that lasts a second. */
  async expectMessage(id: string, act: () => Promise<unknown>): Promise<void> {
    const before = shownMessages(this.page).length;
    await act();
    await expect
      .poll(() => shownMessages(this.page).slice(before).join('\n'), { message: `message: ${id}` })
      .toContain(this.text(id));
  }

  get loadingToast(): Locator {
    return this.page.getByRole('status').filter({ hasText: this.text('in_please_wait') });
  }

  toast(id: string): Locator {
    return this.page
      .getByRole('status')
      .or(this.page.getByRole('alert'))
      .filter({ hasText: this.text(id) });
  }
}
