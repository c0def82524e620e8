/** Code that could not be fetched, told apart from code that was fetched and failed. */
export class LoadFailure extends Error {
  override name = 'LoadFailure';
}

/** The same loader, whose failures are known as such. */
export function loading<T>(load: () => Promise<T>): () => Promise<T> {
  return () => {
    const code = load();
    // What is there already need not be a real promise, and cannot fail.
    if (!(code instanceof Promise)) return code;
    return code.catch((cause: unknown) => {
      throw new LoadFailure('code could not be loaded', { cause });
    });
  };
}
