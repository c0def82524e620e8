import { expect, type Locator, type Page } from '@playwright/test';

import type { Language } from '../support/text.ts';
import { App } from './app.ts';

class Games extends App {
  get tiles(): Locator {
    return this.main.getByRole('article');
  }

  tile(name: string | RegExp): Locator {
    return this.tiles.filter({ has: this.page.getByRole('link', { name }) });
  }

  /** Scrolls to the end again and again until this many games are loaded. */
  async scrollFor(games: number): Promise<void> {
    await this.page.waitForFunction(
      (minimum) => {
        const isEnough = document.querySelectorAll('main article').length >= minimum;
        if (!isEnough) window.scrollTo(0, document.documentElement.scrollHeight);
        return isEnough;
      },
      games,
      { polling: 100, timeout: 120_000 },
    );
  }

  /** A tile that is fully visible between the bars, so that a tap does not scroll. */
  async tileInView(): Promise<Locator> {
    const index = await this.tiles.evaluateAll((tiles) =>
      tiles.findIndex((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return top > 180 && bottom < 740;
      }),
    );
    return this.tiles.nth(index);
  }

  /** Waits for a tile's name, whether or not the tile is painted. */
  async nameOf(tile: Locator): Promise<string> {
    const link = tile.getByRole('link');
    await expect(link).toHaveText(/\S/);
    return ((await link.textContent()) ?? '').trim();
  }

  star(tile: Locator): Locator {
    return tile.getByRole('button');
  }

  get failure(): Locator {
    return this.main.getByRole('button', { name: this.text('Load failed, tap to retry') });
  }

  link(id: string): Locator {
    return this.main.getByRole('link', { name: this.text(id), exact: true });
  }
}

export class Lobby extends Games {
  get rail(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Game categories'), exact: true });
  }

  category(code: string, vendor = ''): Locator {
    const query = `category=${code}${vendor && `&vassalage=${vendor}`}`;
    return this.rail.locator(`a[href="/m/game?${query}"]`);
  }

  get recents(): Locator {
    return this.page.getByRole('region', { name: this.text('Played lately'), exact: true });
  }

  get providers(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Game providers'), exact: true });
  }
}

export class GameList extends Games {
  get search(): Locator {
    return this.page.getByRole('searchbox', { name: this.text('Search games') });
  }

  get tabs(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Game categories'), exact: true });
  }

  get count(): Locator {
    return this.main.getByRole('status').filter({ hasText: /\d/ });
  }

  get marked(): Locator {
    return this.main.locator('mark');
  }

  get sort(): Locator {
    return this.main.getByRole('combobox', { name: this.text('Sort by') });
  }

  names(): Promise<string[]> {
    return this.tiles.getByRole('link').allTextContents();
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Filters'), exact: true });
  }

  /** The button of the sheet, which shows the number of matching games. */
  get apply(): Locator {
    return this.sheet.getByRole('button').last();
  }

  async openFilters(): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${this.text('Filter')}(,|$)`) }).tap();
    await this.sheet.waitFor();
  }
}

type Call = { method: string; query: URLSearchParams; body: unknown };

export function watchCalls(page: Page, call: string): Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.endsWith(call)) return;
    const body: unknown = request.postDataJSON();
    calls.push({ method: request.method(), query: url.searchParams, body });
  });
  return calls;
}

export const numberIn = (text: string): number => Number(text.replaceAll(/\D/g, ''));

export const journeyLanguages: readonly Language[] = ['vi', 'en'];
