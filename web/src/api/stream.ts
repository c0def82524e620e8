import { errorOfAnswer } from '../i18n/api-error.ts';
import { createEventParser, type ServerEvent } from '../lib/sse.ts';

const shortestPause = 1_000;
const longestPause = 30_000;
/** The server sends a comment every 20 s; silence for longer than two of them is a dead line. */
const silence = 45_000;
/** A line that has stood this long works; one that falls sooner is no reason to hurry the next. */
const steady = 5_000;

/** How long to wait before the nth try in a row: doubling, with jitter so that clients spread out. */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestPause, shortestPause * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * random();
}

export type StreamOptions = {
  /** Opens the stream, with the session's headers. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: ServerEvent) => void;
  /** Each time the line stands, the first included: what changed before it did has to be fetched. */
  onOpen: () => void;
  /** The session has ended: trying again cannot mend that. */
  onRefused: () => void;
};

/**
 * Keeps one event stream open until it is closed. A stream that the server gave up for one of the member's
 * newer pages is opened again only when someone comes back to this page: otherwise two pages would take the
 * line from each other for ever. Returns the function that closes it.
 */
export function keepStream(options: StreamOptions): () => void {
  const closed = new AbortController();
  let attempt = 0;

  async function once(): Promise<'again' | 'later' | 'stop'> {
    const line = new AbortController();
    const hangUp = () => line.abort();
    closed.signal.addEventListener('abort', hangUp);
    let watch = setTimeout(hangUp, silence);
    let stands: ReturnType<typeof setTimeout> | undefined;
    let replaced = false;
    const receive = (event: ServerEvent) => {
      if (event.event === 'replaced') replaced = true;
      else options.onEvent(event);
    };
    try {
      const response = await options.open(line.signal);
      if (response.status === 401 && (await endsSession(response))) {
        options.onRefused();
        return 'stop';
      }
      if (!response.ok || !response.body) return 'again';
      stands = setTimeout(() => {
        attempt = 0;
      }, steady);
      options.onOpen();
      const parse = createEventParser(receive);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- pieces come one after another
        const { done, value } = await reader.read();
        if (done) return 'again';
        clearTimeout(watch);
        watch = setTimeout(hangUp, silence);
        parse(value);
        if (replaced) return 'later';
      }
    } catch {
      // A lost line and a line hung up are the same here: the loop below decides what follows.
      return 'again';
    } finally {
      clearTimeout(watch);
      clearTimeout(stands);
      closed.signal.removeEventListener('abort', hangUp);
      hangUp();
    }
  }

  async function run() {
    /* oxlint-disable eslint/no-await-in-loop -- one line at a time, and a pause between two */
    while (!closed.signal.aborted) {
      const next = await once();
      if (next === 'stop' || closed.signal.aborted) return;
      if (next === 'later') {
        await someone(closed.signal);
        attempt = 0;
      } else {
        await pause(pauseBefore(attempt), closed.signal);
        attempt += 1;
      }
    }
    /* oxlint-enable eslint/no-await-in-loop */
  }

  void run();
  return () => closed.abort();
}

/** Judged as every other answer is: a proxy's refusal, say, is no word on the session. */
async function endsSession(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null);
  return errorOfAnswer(response, body).endsSession;
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

/** Waits until the page is looked at again or the stream is closed. */
function someone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener('focus', done);
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const look = () => {
      if (document.visibilityState === 'visible') done();
    };
    addEventListener('focus', done);
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', done);
  });
}
