// The line to the table: kept open, opened again when it falls, each time a little later. What was missed meanwhile is
// for the one who hears that it stands again to fetch.
import { type Clock, Refusal, waitBefore } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import type { TableNews } from './wire.ts';

export type LineHooks = {
  open: () => void;
  news: (news: TableNews) => void;
  /** It fell, for the nth time in a row. */
  lost: (attempt: number) => void;
  refused: (code: string) => void;
};

/** Refusals for good. After any other the line is tried again. */
const final: ReadonlySet<string> = new Set([
  'house.session_expired',
  'house.wrong_game',
  'house.excluded',
]);

/** The last word to a line in whose place the player opened others. It must not come back by itself: it would only push
 * out the next, and so on round all windows. */
const replaced = 'house.replaced';

const realClock: Clock = { wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

export function keepLine(stream: Stream, on: LineHooks, clock: Clock = realClock): () => void {
  const closed = new AbortController();
  async function run(): Promise<void> {
    let attempt = 0;
    let pushedOut = false;
    /* oxlint-disable no-await-in-loop -- one line at a time, and a pause between two */
    while (!closed.signal.aborted) {
      try {
        await stream(
          'table/events',
          {
            open: on.open,
            event: ({ event, data }) => {
              if (event === 'replaced') pushedOut = true;
              if (event !== 'table') return;
              const news = read(data);
              if (!news) return;
              attempt = 0;
              on.news(news);
            },
          },
          closed.signal,
        );
      } catch (thrown) {
        if (thrown instanceof Refusal && final.has(thrown.code)) {
          on.refused(thrown.code);
          return;
        }
      }
      if (closed.signal.aborted) return;
      if (pushedOut) {
        on.refused(replaced);
        return;
      }
      attempt += 1;
      on.lost(attempt);
      await clock.wait(waitBefore(attempt));
    }
    /* oxlint-enable no-await-in-loop */
  }
  void run();
  return () => closed.abort();
}

function read(data: string): TableNews | null {
  try {
    const news: unknown = JSON.parse(data);
    return typeof news === 'object' && news !== null ? news : null;
  } catch {
    return null;
  }
}
