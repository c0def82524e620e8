// What somebody has typed, kept while they look at the pages that belong to it. In memory, as some of it is secret;
// what is not may outlast a reload.
import { sessionStore } from './storage.ts';

/** The events by which the router tells that the address has changed. */
const moves = ['popstate', 'pushState', 'replaceState'] as const;

/** How a draft outlasts a reload: under which key of the session's storage, and what of it. */
type Lasting<T> = { key: string; part: (value: T) => T };

export class Draft<T> {
  readonly #pages: RegExp;
  readonly #lasting: Lasting<T> | undefined;
  #value: T | null = null;

  /**
   * `pages` are those that may be looked at meanwhile. Going to any other drops what was typed. Where it should outlast
   * a reload, `part` takes everything secret out of it.
   */
  constructor(pages: RegExp, lasting?: Lasting<T>) {
    this.#pages = pages;
    this.#lasting = lasting;
    const stored = lasting && sessionStore.get(lasting.key);
    if (!stored) return;
    if (pages.test(location.pathname)) this.keep(JSON.parse(stored) as T);
    else this.drop();
  }

  get value(): T | null {
    return this.#value;
  }

  keep(value: T): void {
    if (this.#value === null) for (const move of moves) addEventListener(move, this.#follow);
    this.#value = value;
    if (this.#lasting) {
      const { key, part } = this.#lasting;
      sessionStore.set(key, JSON.stringify(part(value)));
    }
  }

  drop(): void {
    this.#value = null;
    if (this.#lasting) sessionStore.remove(this.#lasting.key);
    for (const move of moves) removeEventListener(move, this.#follow);
  }

  readonly #follow = (): void => {
    if (!this.#pages.test(location.pathname)) this.drop();
  };
}
