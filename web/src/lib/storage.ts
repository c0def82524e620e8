// Local and session storage that never throw. When the browser blocks them or they are full, values stay in memory.

export type Store = {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  clear(): void;
};

export function createStore(open: () => Storage): Store {
  /** Values that could not be stored, each with the stored value at that time. If the stored value changes later, another tab changed it. */
  const memory = new Map<string, { value: string; stored: string | null }>();

  // Reading window.localStorage throws when storage is blocked.
  function attempt<T>(task: (storage: Storage) => T, otherwise: T): T {
    try {
      return task(open());
    } catch {
      return otherwise;
    }
  }

  const storedValue = (key: string) => attempt((storage) => storage.getItem(key), null);

  return {
    get(key) {
      const stored = storedValue(key);
      const kept = memory.get(key);
      return kept && kept.stored === stored ? kept.value : stored;
    },
    set(key, value) {
      const kept = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (kept) memory.delete(key);
      else memory.set(key, { value, stored: storedValue(key) });
    },
    remove(key) {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key), undefined);
    },
    clear() {
      memory.clear();
      attempt((storage) => storage.clear(), undefined);
    },
  };
}

export const localStore = createStore(() => window.localStorage);
export const sessionStore = createStore(() => window.sessionStorage);
