// Where a round stands, by the server's clock. This device's clock counts only for what has passed since it last heard
// the server's: a phone that is an hour wrong, or was asleep for a minute, sees the same table as everybody.
import type { Round } from './wire.ts';

export type Phase = 'waiting' | 'betting' | 'closing' | 'locked' | 'dealing' | 'result' | 'void';

/** The last seconds before the close. */
const closingMs = 5000;

type Standing = {
  phase: Phase;
  /** Until the next phase; 0 where that is not known. */
  leftMs: number;
};

const order: readonly Phase[] = ['waiting', 'betting', 'locked', 'dealing', 'result'];

const endsOf = ({ opensAt, closesAt, dealAt, resultAt, endsAt }: Round): readonly number[] => [
  opensAt,
  closesAt,
  dealAt,
  resultAt,
  endsAt,
];

export function standingOf(round: Round | null, now: number): Standing {
  if (!round) return { phase: 'waiting', leftMs: 0 };
  if (round.phase === 'void') return { phase: 'void', leftMs: Math.max(0, round.endsAt - now) };
  // A table that sleeps has a round without times.
  if (round.phase === 'waiting' && round.opensAt <= now) return { phase: 'waiting', leftMs: 0 };
  const ends = endsOf(round);
  const byTime = ends.findIndex((end) => now < end);
  if (byTime === -1) return { phase: 'waiting', leftMs: 0 };
  // Whichever is further: the server may close a little before this clock says so, never after.
  const at = Math.max(byTime, order.indexOf(round.phase));
  let phase = order[at] ?? 'waiting';
  let leftMs = Math.max(0, (ends[at] ?? 0) - now);
  // Nothing can be dealt before it is known.
  if ((phase === 'dealing' || phase === 'result') && round.result == null) {
    phase = 'locked';
    leftMs = 0;
  }
  if (phase === 'betting' && leftMs <= closingMs) phase = 'closing';
  return { phase, leftMs };
}

/** Whether a word of a round is of before what is known of it: an answer may have been long on its way. */
export function isOlder(round: Round | null, known: Round | null): boolean {
  if (!round || !known) return false;
  if (round.number !== known.number) return round.number < known.number;
  return rankOf(round) < rankOf(known);
}

/** Nothing comes after a round that was called off. */
const rankOf = ({ phase }: Round): number =>
  phase === 'void' ? order.length : order.indexOf(phase);

export const takesBets = (phase: Phase): boolean => phase === 'betting' || phase === 'closing';

/** The server's time, carried on by what has passed here since it was heard. */
export class ServerClock {
  #offset: number | null = null;
  readonly #here: () => number;

  /** A clock that only runs forward; the date may be set while one plays. */
  constructor(here: () => number = () => performance.now()) {
    this.#here = here;
  }

  /** This moment, to be told with the answer to what is asked now. */
  mark(): number {
    return this.#here();
  }

  /**
   * A word may have been long on its way: it says that it is no earlier than then. That it is no later is known of an answer
   * alone, which was not written before it was asked for.
   */
  hear(now: number, asked?: number): void {
    const least = now - this.#here();
    const most = asked === undefined ? Infinity : now - asked;
    this.#offset = Math.min(Math.max(this.#offset ?? least, least), most);
  }

  now(): number {
    return this.#here() + (this.#offset ?? 0);
  }
}
