// The phase of a round by the server's clock. The device's clock only measures the time since the last update.
import type { Round } from './wire.ts';

export type Phase = 'waiting' | 'betting' | 'closing' | 'locked' | 'dealing' | 'result' | 'void';

const closingMs = 5000;

type PhaseNow = {
  phase: Phase;
  /** Until the next phase; 0 when unknown. */
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

export function phaseAt(round: Round | null, now: number): PhaseNow {
  if (!round) return { phase: 'waiting', leftMs: 0 };
  if (round.phase === 'void') return { phase: 'void', leftMs: Math.max(0, round.endsAt - now) };
  // An idle table has a round without times.
  if (round.phase === 'waiting' && round.opensAt <= now) return { phase: 'waiting', leftMs: 0 };
  const ends = endsOf(round);
  const byTime = ends.findIndex((end) => now < end);
  if (byTime === -1) return { phase: 'waiting', leftMs: 0 };
  // The server may close slightly before this clock, never after it.
  const at = Math.max(byTime, order.indexOf(round.phase));
  let phase = order[at] ?? 'waiting';
  let leftMs = Math.max(0, (ends[at] ?? 0) - now);
  // The result may arrive late.
  if ((phase === 'dealing' || phase === 'result') && round.result == null) {
    phase = 'locked';
    leftMs = 0;
  }
  if (phase === 'betting' && leftMs <= closingMs) phase = 'closing';
  return { phase, leftMs };
}

/** Returns the phase that the stage shows. A result counts only after its last card, die or ball has landed. */
export function visiblePhase(
  round: Round | null,
  now: number,
  shownRound: string | null,
): PhaseNow {
  const at = phaseAt(round, now);
  if (!round || (at.phase !== 'dealing' && at.phase !== 'result')) return at;
  return shownRound === round.id
    ? { phase: 'result', leftMs: Math.max(0, round.endsAt - now) }
    : { phase: 'dealing', leftMs: Math.max(0, round.resultAt - now) };
}

/** Reports whether a round is an earlier version than the known one. Responses can arrive late. */
export function isOlder(round: Round | null, known: Round | null): boolean {
  if (!round || !known) return false;
  if (round.number !== known.number) return round.number < known.number;
  return rankOf(round) < rankOf(known);
}

/** A void round is final. */
const rankOf = ({ phase }: Round): number =>
  phase === 'void' ? order.length : order.indexOf(phase);

export const acceptsBets = (phase: Phase): boolean => phase === 'betting' || phase === 'closing';

export class ServerClock {
  #offset: number | null = null;
  readonly #localNow: () => number;

  /** Uses a monotonic clock, because the device's date may change. */
  constructor(localNow: () => number = () => performance.now()) {
    this.#localNow = localNow;
  }

  /** Returns the local time. Pass it to `sync` with the response of a request. */
  localNow(): number {
    return this.#localNow();
  }

  /** Any message shows that the server's time is at minOffset `now`. A response also limits it: it was written after the request. */
  sync(now: number, requestedAt?: number): void {
    const minOffset = now - this.#localNow();
    const maxOffset = requestedAt === undefined ? Infinity : now - requestedAt;
    this.#offset = Math.min(Math.max(this.#offset ?? minOffset, minOffset), maxOffset);
  }

  now(): number {
    return this.#localNow() + (this.#offset ?? 0);
  }
}
