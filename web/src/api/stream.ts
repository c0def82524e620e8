import { errorOfResponse } from '../i18n/api-error.ts';
import { createEventParser, type ServerEvent } from '../lib/sse.ts';

const minRetryMs = 1_000;
const maxRetryMs = 30_000;
/** The server sends a comment every 20 s. If two of them are missing, the connection is dead. */
const silenceTimeoutMs = 45_000;
/** A connection that lasts this long resets the retry delay. */
const stableAfterMs = 5_000;

/** Returns the delay before a retry: it doubles with each attempt, with jitter to spread the clients. */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(maxRetryMs, minRetryMs * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * random();
}

export type StreamOptions = {
  /** Opens the stream with the session's headers. */
  open: (signal: AbortSignal) => Promise<Response>;
  onEvent: (event: ServerEvent) => void;
  /** Called after each connect, including the first. The caller must fetch changes made before it. */
  onOpen: () => void;
  /** Called when the session has ended. The stream does not retry. */
  onRefused: () => void;
};

/**
 * Keeps one event stream open and returns a function that closes it. When the server closes it in favour of a newer page of the
 * member, it reconnects only when this page is visible again. Otherwise two pages would replace each other forever.
 */
export function openStream(options: StreamOptions): () => void {
  const closed = new AbortController();
  let attempt = 0;

  async function connect(): Promise<'retry' | 'retryWhenVisible' | 'stop'> {
    const connection = new AbortController();
    const disconnect = () => connection.abort();
    closed.signal.addEventListener('abort', disconnect);
    let silenceTimer = setTimeout(disconnect, silenceTimeoutMs);
    let stableTimer: ReturnType<typeof setTimeout> | undefined;
    let replaced = false;
    const receive = (event: ServerEvent) => {
      if (event.event === 'replaced') replaced = true;
      else options.onEvent(event);
    };
    try {
      const response = await options.open(connection.signal);
      if (response.status === 401 && (await endsSession(response))) {
        options.onRefused();
        return 'stop';
      }
      if (!response.ok || !response.body) return 'retry';
      stableTimer = setTimeout(() => {
        attempt = 0;
      }, stableAfterMs);
      options.onOpen();
      const parse = createEventParser(receive);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // oxlint-disable-next-line eslint/no-await-in-loop -- chunks arrive in order
        const { done, value } = await reader.read();
        if (done) return 'retry';
        clearTimeout(silenceTimer);
        silenceTimer = setTimeout(disconnect, silenceTimeoutMs);
        parse(value);
        if (replaced) return 'retryWhenVisible';
      }
    } catch {
      return 'retry';
    } finally {
      clearTimeout(silenceTimer);
      clearTimeout(stableTimer);
      closed.signal.removeEventListener('abort', disconnect);
      disconnect();
    }
  }

  async function run() {
    /* oxlint-disable eslint/no-await-in-loop -- one connection at once, with a delay between two */
    while (!closed.signal.aborted) {
      const next = await connect();
      if (next === 'stop' || closed.signal.aborted) return;
      if (next === 'retryWhenVisible') {
        await visible(closed.signal);
        attempt = 0;
      } else {
        await delay(retryDelay(attempt), closed.signal);
        attempt += 1;
      }
    }
    /* oxlint-enable eslint/no-await-in-loop */
  }

  void run();
  return () => closed.abort();
}

/** Reports whether the response is the server's own 401, not a proxy's. */
async function endsSession(response: Response): Promise<boolean> {
  const body: unknown = await response.json().catch(() => null);
  return errorOfResponse(response, body).endsSession;
}

/** Waits, at most until the network returns or the stream is closed. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
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

/** Waits until the page gets the focus or becomes visible, or the stream is closed. */
function visible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener('focus', done);
      document.removeEventListener('visibilitychange', onChange);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const onChange = () => {
      if (document.visibilityState === 'visible') done();
    };
    addEventListener('focus', done);
    document.addEventListener('visibilitychange', onChange);
    signal.addEventListener('abort', done);
  });
}
