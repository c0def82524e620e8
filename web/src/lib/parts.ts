// Loads chunks instead of the bundler's own preload. Engines remember a failed module for the life of the page, so files are fetched first
// and imported from the cache when all are there. A failed fetch can then be retried.

/** Files that are loaded or loading. */
const fetched = new Map<string, Promise<unknown>>();
const styled = new Map<string, Promise<unknown>>();

/** Fetches a chunk's files, then imports it. */
function part<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const needed = files
    .map((file) => import.meta.env.BASE_URL + file)
    .filter((address) => !cameWithThePage(address));
  return (
    Promise.all(needed.map((address) => once(fetched, address, fetchWhole)))
      // All at once, inserted in order: later styles override earlier ones.
      .then(() => Promise.all(needed.filter(isStyle).map((file) => once(styled, file, addStyles))))
      .then(load)
      .catch((cause: unknown) => {
        dispatchEvent(new Event('vite:preloadError'));
        throw cause;
      })
  );
}

/** The page's own scripts and inlined styles are already loaded. */
function cameWithThePage(address: string): boolean {
  return !styled.has(address) && document.querySelector(`link[href="${address}"]`) !== null;
}

const isStyle = (address: string) => address.endsWith('.css');

/** Forgets failures, so that the next call retries. */
function once(
  begun: Map<string, Promise<unknown>>,
  address: string,
  begin: (address: string) => Promise<unknown>,
): Promise<unknown> {
  let coming = begun.get(address);
  if (!coming) {
    coming = begin(address);
    begun.set(address, coming);
    coming.catch(() => begun.delete(address));
  }
  return coming;
}

async function fetchWhole(address: string): Promise<void> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
  await answer.arrayBuffer(); // the download can fail until the body is read
}

function addStyles(address: string): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`styles could not be had: ${address}`));
    });
    document.head.append(link);
  });
}

// The bundler calls this name for every dynamic import.
export { part as __vitePreload };
