// A form's typed values, kept while the member looks at related pages. Secret values stay in memory only.
import { sessionStore } from './storage.ts';

/** The router's events for a change of URL. */
const moves = ['popstate', 'pushState', 'replaceState'] as const;

/** The storage key and the part of a draft to store, so that the draft survives a reload. */
export type StoredPart<T> = { key: string; part: (value: T) => T };

export class Draft<T> {
  readonly #pages: RegExp;
  readonly #storage: StoredPart<T> | undefined;
  #value: T | null = null;

  /**
   * `pages` matches the pages that keep the draft. Any other page drops it. `part` must remove secret values before the draft is stored.
   */
  constructor(pages: RegExp, storage?: StoredPart<T>) {
    this.#pages = pages;
    this.#storage = storage;
    const stored = storage && sessionStore.get(storage.key);
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
    if (this.#storage) {
      const { key, part } = this.#storage;
      sessionStore.set(key, JSON.stringify(part(value)));
    }
  }

  drop(): void {
    this.#value = null;
    if (this.#storage) sessionStore.remove(this.#storage.key);
    for (const move of moves) removeEventListener(move, this.#follow);
  }

  readonly #follow = (): void => {
    if (!this.#pages.test(location.pathname)) this.drop();
  };
}
