import { expect, type Locator } from '@playwright/test';

import type { Language } from '../support/text.ts';
import { App } from './app.ts';

export class Menu extends App {
  get panel(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Menu'), exact: true });
  }

  get languages(): Locator {
    return this.panel.getByRole('radiogroup', { name: this.text('Language'), exact: true });
  }

  get themes(): Locator {
    return this.panel.getByRole('radiogroup', { name: this.text('Appearance'), exact: true });
  }

  async open(): Promise<void> {
    await this.header.getByRole('button', { name: this.text('Menu'), exact: true }).tap();
    await expect(this.panel).toBeVisible();
  }

  /** Chooses a language, and returns the page model in that language. */
  async chooseLanguage(language: Language): Promise<Menu> {
    await option(this.languages, language).tap();
    const menu = new Menu(this.page, language);
    await expect(menu.panel).toBeVisible();
    return menu;
  }

  async chooseTheme(theme: 'dark' | 'light'): Promise<void> {
    await option(this.themes, theme).tap();
  }
}

function option(group: Locator, value: string): Locator {
  const radio = group.page().locator(`input[value=${value}]`);
  return group.locator('label').filter({ has: radio });
}
