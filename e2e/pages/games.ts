import { expect, type Locator, type Page } from '@playwright/test';

import type { Language } from '../support/text.ts';
import { App } from './app.ts';

/** What all lists of games have. */
class Games extends App {
  get tiles(): Locator {
    return this.main.getByRole('article');
  }

  tile(name: string | RegExp): Locator {
    return this.tiles.filter({ has: this.page.getByRole('link', { name }) });
  }

  /** Scrolls to the end again and again until so many games are there, and no further: one page is not the next. */
  async scrollFor(games: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) => {
        const enough = document.querySelectorAll('main article').length >= wanted;
        if (!enough) window.scrollTo(0, document.documentElement.scrollHeight);
        return enough;
      },
      games,
      { polling: 100, timeout: 120_000 },
    );
  }

  /** A tile that stands whole between the bars: a tap on it does not move the page. */
  async tileInView(): Promise<Locator> {
    const index = await this.tiles.evaluateAll((tiles) =>
      tiles.findIndex((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return top > 180 && bottom < 740;
      }),
    );
    return this.tiles.nth(index);
  }

  /** A tile's name, once it is there; whether or not the tile is drawn yet. */
  async nameOf(tile: Locator): Promise<string> {
    const link = tile.getByRole('link');
    await expect(link).toHaveText(/\S/);
    return ((await link.textContent()) ?? '').trim();
  }

  /** The star of a tile. */
  star(tile: Locator): Locator {
    return tile.getByRole('button');
  }

  /** The row that stands for what could not be loaded. */
  get failure(): Locator {
    return this.main.getByRole('button', { name: this.text('Load failed, tap to retry') });
  }

  link(id: string): Locator {
    return this.main.getByRole('link', { name: this.text(id), exact: true });
  }
}

/** The lobby: categories at the side, their games beside them. */
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

/** The list: search, tabs, filters. */
export class GameList extends Games {
  get search(): Locator {
    return this.page.getByRole('searchbox', { name: this.text('Search games') });
  }

  get tabs(): Locator {
    return this.page.getByRole('navigation', { name: this.text('Game categories'), exact: true });
  }

  /** How many games there are, as the list says it. */
  get count(): Locator {
    return this.main.getByRole('status').filter({ hasText: /\d/ });
  }

  get marked(): Locator {
    return this.main.locator('mark');
  }

  get sort(): Locator {
    return this.main.getByRole('combobox', { name: this.text('Sort by') });
  }

  /** The games' names in the order of the list. */
  names(): Promise<string[]> {
    return this.tiles.getByRole('link').allTextContents();
  }

  get sheet(): Locator {
    return this.page.getByRole('dialog', { name: this.text('Filters'), exact: true });
  }

  /** The sheet's own button, which says how many games will be left. */
  get apply(): Locator {
    return this.sheet.getByRole('button').last();
  }

  async openFilters(): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${this.text('Filter')}(,|$)`) }).tap();
    await this.sheet.waitFor();
  }
}

type Call = { method: string; query: URLSearchParams; body: unknown };

/** All calls of one kind, with what they say. */
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

/** The digits of a text, whatever language they stand in. */
export const numberIn = (text: string): number => Number(text.replaceAll(/\D/g, ''));

/** Languages that a journey is walked in. */
export const walked: readonly Language[] = ['vi', 'en'];
