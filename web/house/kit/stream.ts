// A stream of the House's server, read by fetch: the frame's token goes in a header, which the browser's own reader of
// streams cannot send. It reads one line to its end; whether to open another is for who keeps it.
import { createEventParser, type ServerEvent } from '../../src/lib/sse.ts';
import { headersOf, Refusal, Unknown } from './api.ts';

/** A line that says nothing for longer than this is dead: the server speaks at least every 20 s. */
const silence = 45_000;

export type Stream = (
  path: string,
  on: { open: () => void; event: (event: ServerEvent) => void },
  signal: AbortSignal,
) => Promise<void>;

export function houseStream(token: () => string | null, language: () => string): Stream {
  return async (path, on, signal) => {
    const line = new AbortController();
    const hangUp = (): void => line.abort();
    signal.addEventListener('abort', hangUp);
    let watch = setTimeout(hangUp, silence);
    try {
      const response = await fetch(`/house/v1/${path}`, {
        headers: headersOf(token(), language()),
        cache: 'no-store',
        signal: line.signal,
      });
      if (!response.ok || !response.body) throw await refusalOf(response);
      on.open();
      const parse = createEventParser(on.event);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop -- pieces come one after another
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(hangUp, silence);
        parse(value);
      }
    } catch (thrown) {
      throw thrown instanceof Refusal ? thrown : new Unknown();
    } finally {
      clearTimeout(watch);
      signal.removeEventListener('abort', hangUp);
      hangUp();
    }
  };
}

async function refusalOf(response: Response): Promise<Error> {
  const said = (await response.json().catch(() => null)) as { errorCode?: unknown } | null;
  const code = said?.errorCode;
  return typeof code === 'string' && response.status < 500 ? new Refusal(code) : new Unknown();
}
