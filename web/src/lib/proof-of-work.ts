/** A challenge from the server, in ALTCHA's format. */
export type Work = {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
};

/** How many digests run at once. */
const batchSize = 500;

/** Finds the number that the challenge is a digest of, and returns ALTCHA's payload, or undefined if there is none. */
export async function solveWork(work: Work): Promise<string | undefined> {
  const { algorithm, challenge, maxnumber, salt, signature } = work;
  const started = Date.now();
  for (let first = 0; first <= maxnumber; first += batchSize) {
    const numbers = Array.from(
      { length: Math.min(batchSize, maxnumber + 1 - first) },
      (_, index) => first + index,
    );
    // oxlint-disable-next-line no-await-in-loop -- a batch after the other, until the number is found
    const digests = await Promise.all(numbers.map((number) => digest(algorithm, salt + number)));
    const found = digests.indexOf(challenge);
    if (found !== -1) {
      const number = first + found;
      const took = Date.now() - started;
      return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature, took }));
    }
  }
  return undefined;
}

async function digest(algorithm: string, text: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.digest(algorithm, new TextEncoder().encode(text)),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Solves a challenge in a web worker, so that the page stays responsive. */
export function solveInBackground(work: Work): Promise<string | undefined> {
  if (typeof Worker === 'undefined') return solveWork(work);
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), {
      type: 'module',
    });
    const finish = (proof: string | undefined) => {
      worker.terminate();
      resolve(proof);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<string | undefined>) =>
      finish(data),
    );
    worker.addEventListener('error', () => finish(undefined));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(work);
  });
}
