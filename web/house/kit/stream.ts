// Reads a server-sent event stream with fetch, because EventSource cannot send the token header. It does not reconnect.
import { createEventParser, type ServerEvent } from '../../src/lib/sse.ts';
import { requestHeaders, RefusedError, OutcomeUnknownError } from './api.ts';

/** The server sends at least every 20 s. A connection silent for this long is dead. */
const silenceTimeoutMs = 45_000;

export type Stream = (
  path: string,
  on: { open: () => void; event: (event: ServerEvent) => void },
  signal: AbortSignal,
) => Promise<void>;

export function houseStream(token: () => string | null, language: () => string): Stream {
  return async (path, on, signal) => {
    const connection = new AbortController();
    const abort = (): void => connection.abort();
    signal.addEventListener('abort', abort);
    let silenceTimer = setTimeout(abort, silenceTimeoutMs);
    try {
      const response = await fetch(`/house/v1/${path}`, {
        headers: requestHeaders(token(), language()),
        cache: 'no-store',
        signal: connection.signal,
      });
      if (!response.ok || !response.body) throw await errorFrom(response);
      on.open();
      const parse = createEventParser(on.event);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- chunks arrive one after another
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(silenceTimer);
        silenceTimer = setTimeout(abort, silenceTimeoutMs);
        parse(value);
      }
    } catch (thrown) {
      throw thrown instanceof RefusedError ? thrown : new OutcomeUnknownError();
    } finally {
      clearTimeout(silenceTimer);
      signal.removeEventListener('abort', abort);
      abort();
    }
  };
}

async function errorFrom(response: Response): Promise<Error> {
  const reply = (await response.json().catch(() => null)) as { errorCode?: unknown } | null;
  const code = reply?.errorCode;
  return typeof code === 'string' && response.status < 500
    ? new RefusedError(code)
    : new OutcomeUnknownError();
}
