/** The error for code that could not be fetched, as opposed to code that threw. */
export class LoadFailure extends Error {
  override name = 'LoadFailure';
}

/** The event for a screen that failed to load again after a retry. Chromium never fetches a failed module again, so the page must be reloaded. */
export const screenLost = 'screen-lost';

/** Wraps a loader so that its failures are recognisable. */
export function loading<T>(load: () => Promise<T>): () => Promise<T> {
  return () => {
    const code = load();
    // A loaded module may be a plain thenable that cannot fail.
    if (!(code instanceof Promise)) return code;
    return code.catch((cause: unknown) => {
      throw new LoadFailure('code could not be loaded', { cause });
    });
  };
}
