// How the app's parts come in, in place of the bundler's own way. Engines remember a module or a link that failed for
// as long as the page lives. So the files of a part are fetched first, in the one way that leaves no such memory, and
// the part is imported out of the cache once they are all there: what was lost can be asked for again.

/** Files that are here or on their way. */
const fetched = new Map<string, Promise<unknown>>();
const styled = new Map<string, Promise<unknown>>();

/** Fetches the files that a part needs, then imports it. */
function part<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  const needed = files
    .map((file) => import.meta.env.BASE_URL + file)
    .filter((address) => !cameWithThePage(address));
  return (
    Promise.all(needed.map((address) => once(fetched, address, fetchWhole)))
      // All at once and in their order, whichever came first: later styles overrule earlier ones.
      .then(() => Promise.all(needed.filter(isStyle).map((file) => once(styled, file, addStyles))))
      .then(load)
      .catch((cause: unknown) => {
        dispatchEvent(new Event('vite:preloadError'));
        throw cause;
      })
  );
}

/** The app's own scripts, and the styles that stand in the page, have links that say so. */
function cameWithThePage(address: string): boolean {
  return !styled.has(address) && document.querySelector(`link[href="${address}"]`) !== null;
}

const isStyle = (address: string) => address.endsWith('.css');

/** What failed is forgotten, so that it can be asked for again. */
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
  await answer.arrayBuffer(); // until then it may still be lost
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

// The name by which the bundler calls it for every dynamic import.
export { part as __vitePreload };
