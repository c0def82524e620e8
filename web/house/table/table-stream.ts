// Follows the table's event stream and reconnects with increasing delays. Callers fetch missed updates on `open`.
import { type Clock, RefusedError, retryDelay } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import type { TableUpdate } from './wire.ts';

export type TableStreamHooks = {
  open: () => void;
  update: (update: TableUpdate) => void;
  /** Called with the number of consecutive failures. */
  lost: (attempt: number) => void;
  refused: (code: string) => void;
};

/** Codes after which the stream does not reconnect. */
const finalCodes: ReadonlySet<string> = new Set([
  'house.session_expired',
  'house.wrong_game',
  'house.excluded',
]);

/** The player opened the table elsewhere. Reconnecting would close that connection, and so on in turn. */
const replacedCode = 'house.replaced';

const realClock: Clock = { wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };

export function followTable(
  stream: Stream,
  on: TableStreamHooks,
  clock: Clock = realClock,
): () => void {
  const closed = new AbortController();
  async function run(): Promise<void> {
    let attempt = 0;
    let isReplaced = false;
    /* oxlint-disable no-await-in-loop -- connections are opened one after another */
    while (!closed.signal.aborted) {
      try {
        await stream(
          'table/events',
          {
            open: on.open,
            event: ({ event, data }) => {
              if (event === 'replaced') isReplaced = true;
              if (event !== 'table') return;
              const update = parseUpdate(data);
              if (!update) return;
              attempt = 0;
              on.update(update);
            },
          },
          closed.signal,
        );
      } catch (thrown) {
        if (thrown instanceof RefusedError && finalCodes.has(thrown.code)) {
          on.refused(thrown.code);
          return;
        }
      }
      if (closed.signal.aborted) return;
      if (isReplaced) {
        on.refused(replacedCode);
        return;
      }
      attempt += 1;
      on.lost(attempt);
      await clock.wait(retryDelay(attempt));
    }
    /* oxlint-enable no-await-in-loop */
  }
  void run();
  return () => closed.abort();
}

function parseUpdate(data: string): TableUpdate | null {
  try {
    const update: unknown = JSON.parse(data);
    return typeof update === 'object' && update !== null ? update : null;
  } catch {
    return null;
  }
}
