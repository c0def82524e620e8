import { createEventParser, type ServerEvent } from './sse.ts';

const shortestPause = 1_000;
const longestPause = 30_000;
/** The server sends a comment every 20 s; silence for longer than two of them is a dead line. */
const silence = 45_000;

/** How long to wait before the nth try in a row: doubling, with jitter so that clients spread out. */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestPause, shortestPause * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * random();
}

export type StreamOptions = {
  /** Opens the stream, with the session's headers. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: ServerEvent) => void;
  /** Each time the line stands again after it was gone: what was missed has to be fetched. */
  onReconnect: () => void;
  /** An answer that trying again cannot mend, such as an ended session. */
  onRefused: (response: Response) => void;
};

/** Keeps one event stream open until it is closed. Returns the function that closes it. */
export function keepStream(options: StreamOptions): () => void {
  const closed = new AbortController();
  let attempt = 0;
  let opened = false;

  async function once(): Promise<'again' | 'stop'> {
    const line = new AbortController();
    const hangUp = () => line.abort();
    closed.signal.addEventListener('abort', hangUp);
    let watch = setTimeout(hangUp, silence);
    try {
      const response = await options.open(line.signal);
      if (response.status === 401 || response.status === 403) {
        options.onRefused(response);
        return 'stop';
      }
      if (!response.ok || !response.body) return 'again';
      attempt = 0;
      if (opened) options.onReconnect();
      opened = true;
      const parse = createEventParser(options.onEvent);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- pieces come one after another
        const { done, value } = await reader.read();
        if (done) return 'again';
        clearTimeout(watch);
        watch = setTimeout(hangUp, silence);
        parse(value);
      }
    } catch {
      // A lost line and a line hung up are the same here: the loop below decides what follows.
      return 'again';
    } finally {
      clearTimeout(watch);
      closed.signal.removeEventListener('abort', hangUp);
    }
  }

  async function run() {
    /* oxlint-disable eslint/no-await-in-loop -- one line at a time, and a pause between two */
    while (!closed.signal.aborted) {
      if ((await once()) === 'stop' || closed.signal.aborted) return;
      await pause(pauseBefore(attempt), closed.signal);
      attempt += 1;
    }
    /* oxlint-enable eslint/no-await-in-loop */
  }

  void run();
  return () => closed.abort();
}

/** Waits, but not longer than until the network returns or the stream is closed. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
