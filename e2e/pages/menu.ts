import { expect, type Locator } from '@playwright/test';

import type { Language } from '../support/text.ts';
import { App } from './app.ts';

/** The menu that comes in from the edge. */
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

  /** Chooses a language; everything says so at once, this model too. */
  async speak(language: Language): Promise<Menu> {
    await option(this.languages, language).tap();
    const menu = new Menu(this.page, language);
    await expect(menu.panel).toBeVisible();
    return menu;
  }

  async show(theme: 'dark' | 'light'): Promise<void> {
    await option(this.themes, theme).tap();
  }
}

function option(group: Locator, value: string): Locator {
  const radio = group.page().locator(`input[value=${value}]`);
  return group.locator('label').filter({ has: radio });
}
