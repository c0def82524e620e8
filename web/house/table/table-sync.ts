// Keeps the table up to date: fetches it, follows its stream and keeps the server's time.
import { type Api, RefusedError } from '../kit/api.ts';
import type { Stream } from '../kit/stream.ts';
import type { Trouble } from './phase-card.ts';
import type { ServerClock } from './phase.ts';
import type { Event } from './state.ts';
import { followTable } from './table-stream.ts';
import type { TableResponse } from './wire.ts';

/** The table is fetched again when a phase is overdue by this time. */
const overdueMs = 4000;

type Handlers = {
  /** The last known balance. */
  balance: () => number;
  table: (event: Event) => void;
  /** Reading the table was refused. */
  refused: (code: string) => void;
  /** The stream was lost, or is open again. */
  streamChanged: () => void;
  reconnected: () => void;
};

export class TableSync {
  readonly #api: Api;
  readonly #stream: Stream;
  readonly #on: Handlers;
  #updatedAt = 0;
  #refreshing: Promise<void> | null = null;
  readonly clock: ServerClock;
  /** Not null while the stream is lost. */
  trouble: Trouble | null = null;

  constructor({ api, stream }: { api: Api; stream: Stream }, clock: ServerClock, on: Handlers) {
    this.#api = api;
    this.#stream = stream;
    this.clock = clock;
    this.#on = on;
  }

  async fetch(): Promise<TableResponse> {
    const requestedAt = this.clock.localNow();
    const response = await this.#api.get<TableResponse>('table');
    this.clock.sync(response.now, requestedAt);
    this.#updatedAt = this.clock.now();
    return response;
  }

  follow(): void {
    followTable(this.#stream, {
      open: () => void this.#opened(),
      update: (update) => {
        if (update.now !== undefined) this.clock.sync(update.now);
        this.#updatedAt = this.clock.now();
        this.trouble = null;
        this.#on.table({ type: 'update', update });
      },
      lost: (attempt) => {
        this.trouble = { attempt, since: this.trouble?.since ?? performance.now() };
        this.#on.streamChanged();
      },
      refused: this.#on.refused,
    });
  }

  /** Fetches the table. Keeps the old state when the request fails. */
  refresh(): Promise<void> {
    return (this.#refreshing ??= this.#fetchAgain().finally(() => (this.#refreshing = null)));
  }

  /** Call this while a phase has no time left. */
  refreshIfOverdue(): void {
    const now = this.clock.now();
    if (now - this.#updatedAt <= overdueMs) return;
    this.#updatedAt = now;
    void this.refresh();
  }

  async #opened(): Promise<void> {
    if (this.trouble) {
      await this.refresh();
      this.#on.reconnected();
    }
    this.trouble = null;
    this.#on.streamChanged();
  }

  async #fetchAgain(): Promise<void> {
    const balance = this.#on.balance();
    try {
      const response = await this.fetch();
      this.#on.table({ type: 'response', response, late: this.#on.balance() !== balance });
    } catch (thrown) {
      if (thrown instanceof RefusedError) this.#on.refused(thrown.code);
    }
  }
}
