import { expect, type Locator, type Page } from '@playwright/test';

import { say, type Language } from '../support/text.ts';
import { told } from '../support/told.ts';

/** What stands around every screen: the header, the menus, toasts. */
export class App {
  readonly page: Page;
  readonly language: Language;

  constructor(page: Page, language: Language = 'vi') {
    this.page = page;
    this.language = language;
  }

  text(id: string): string {
    return say(this.language, id);
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

  /** Moves on within the page, as a link to an address does. */
  async goTo(path: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, '', to), path);
  }

  /** The heading of the screen, wherever its bar stands. */
  get title(): Locator {
    return this.page.getByRole('heading', { level: 1 });
  }

  get bottomMenu(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Main'), exact: true });
  }

  /** Every item of the bottom menu: what it says and where it leads. */
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

  /** The balance as a number; the demo's currency has no decimals, so only digits count. */
  async balanceValue(): Promise<number> {
    return Number((await this.balance.innerText()).replaceAll(/\D/g, ''));
  }

  get question(): Locator {
    return this.page.getByRole('alertdialog');
  }

  /** Asks to log out and says yes. */
  async logOut(): Promise<void> {
    await this.logoutButton.tap();
    await this.question.getByRole('button', { name: this.text('Log out'), exact: true }).tap();
  }

  /** The bar that says there is no network; lists that could not be loaded say so as well. */
  get offlineBar(): Locator {
    return this.page.getByRole('status').filter({ hasText: this.text('errors.network.offline') });
  }

  /** Does something after which something is told, however briefly: some toasts last a second. */
  async told(id: string, act: () => Promise<unknown>): Promise<void> {
    const before = told(this.page).length;
    await act();
    await expect
      .poll(() => told(this.page).slice(before).join('\n'), { message: `told: ${id}` })
      .toContain(this.text(id));
  }

  toast(id: string): Locator {
    return this.page
      .getByRole('status')
      .or(this.page.getByRole('alert'))
      .filter({ hasText: this.text(id) });
  }
}
