// What the game is doing, and what may happen next. Pure: events in, a new state out; the controller does the rest.
import type { LimitTold } from '../../src/lib/game-messages.ts';
import type { Round } from './session.ts';
import { shortestCycle } from './timing.ts';

/** Why no round can be begun any more, or for now. */
type Stop = 'limit' | 'excluded' | 'expired';

export type State = {
  phase: 'ready' | 'spinning' | 'stopped';
  balance: number;
  stake: number;
  stakes: readonly number[];
  /** The round that was asked for; asked again, it keeps its id, so that it is never staked twice. */
  spin: { id: string; stake: number; at: number } | null;
  /** The server's result, until it has been shown. */
  coming: { round: Round; balance: number } | null;
  shown: Round | null;
  /** What was shown when the spin began: it is shown again where nothing came of that. */
  kept: Round | null;
  /** How often the server was asked in vain, and since when. */
  trouble: { attempt: number; since: number } | null;
  /** The last tap came to nothing, and why. */
  refusal: 'insufficient' | 'unavailable' | 'maintenance' | 'refunded' | 'aside' | null;
  stop: Stop | null;
  /** The limit that stopped it, once that is known. */
  limit: LimitTold | null;
  /** The app has said what it knows of the limit. */
  heard: boolean;
  paused: boolean;
};

export type Event =
  | { type: 'spin'; id: string; at: number }
  | { type: 'answered'; round: Round; balance: number }
  | { type: 'shown' }
  | { type: 'failed'; at: number }
  | { type: 'refused'; code: string }
  | { type: 'resumed'; round: Round; balance: number }
  | { type: 'balance'; balance: number }
  /** The app says what can be staked: it does not know where a round that runs here stands. */
  | { type: 'told'; balance: number }
  | { type: 'stake'; step: 1 | -1 }
  | { type: 'room'; limit: LimitTold | null }
  /** Go on after a limit, with a stake that it lets pass. */
  | { type: 'lower' }
  | { type: 'paused'; paused: boolean };

export function begin(session: {
  balance: number;
  stake: number;
  stakes: readonly number[];
}): State {
  const { balance, stakes } = session;
  const stake = stakes.includes(session.stake) ? session.stake : (stakes[0] ?? session.stake);
  return {
    phase: 'ready',
    balance,
    stake,
    stakes,
    spin: null,
    coming: null,
    shown: null,
    kept: null,
    trouble: null,
    refusal: null,
    stop: null,
    limit: null,
    heard: false,
    paused: false,
  };
}

/** Whether a tap begins a round now: none runs, none began less than a cycle ago, nothing stops it. */
export function canSpin(state: State, now: number): boolean {
  if (state.phase !== 'ready' || state.paused) return false;
  return state.spin === null || now - state.spin.at >= shortestCycle;
}

const stops: Readonly<Record<string, Stop>> = {
  'house.limit_reached': 'limit',
  'house.excluded': 'excluded',
  'house.session_expired': 'expired',
};

const refusals: Readonly<Record<string, State['refusal']>> = {
  'house.insufficient_funds': 'insufficient',
  'house.refunded': 'refunded',
  'house.set_aside': 'aside',
  'house.game_closed': 'maintenance',
};

export function next(state: State, event: Event): State {
  switch (event.type) {
    case 'spin':
      return spin(state, event.id, event.at);
    case 'answered':
      if (state.phase !== 'spinning' || state.coming) return state;
      return {
        ...state,
        coming: { round: event.round, balance: event.balance },
        // What was staked is gone; what comes back is shown with the result.
        balance: event.balance - event.round.win,
        trouble: null,
      };
    case 'shown':
      if (!state.coming) return state;
      return {
        ...state,
        phase: 'ready',
        shown: state.coming.round,
        balance: state.coming.balance,
        coming: null,
      };
    case 'failed':
      return {
        ...state,
        trouble: {
          attempt: (state.trouble?.attempt ?? 0) + 1,
          since: state.trouble?.since ?? event.at,
        },
      };
    case 'refused':
      return refuse(state, event.code);
    case 'resumed':
      return {
        ...state,
        shown: event.round,
        balance: event.balance,
        trouble: null,
      };
    case 'balance':
      return { ...state, balance: event.balance, trouble: null };
    case 'told':
      if (state.phase === 'spinning' || state.trouble) return state;
      return {
        ...state,
        balance: event.balance,
        refusal: state.refusal === 'insufficient' ? null : state.refusal,
      };
    case 'stake':
      return step(state, event.step);
    case 'room':
      return named(state, event.limit);
    case 'lower':
      if (state.stop !== 'limit') return state;
      return { ...goOn(state), stake: fitting(state) ?? state.stake };
    case 'paused':
      // A stake is refused as over a limit while a reality check waits for its answer: that is what a pause may have been for.
      if (state.paused && !event.paused && state.stop === 'limit')
        return { ...goOn(state), paused: false };
      return { ...state, paused: event.paused };
  }
}

function spin(state: State, id: string, at: number): State {
  if (!canSpin(state, at)) return state;
  if (state.stake > state.balance) return { ...state, refusal: 'insufficient' };
  return {
    ...state,
    phase: 'spinning',
    spin: { id, stake: state.stake, at },
    shown: null,
    kept: state.shown,
    refusal: null,
    trouble: null,
  };
}

function refuse(state: State, code: string): State {
  const stop = stops[code];
  const ended: State = {
    ...state,
    phase: 'ready',
    coming: null,
    shown: state.kept,
    trouble: null,
    limit: null,
    heard: false,
  };
  if (stop) return { ...ended, phase: 'stopped', stop };
  return { ...ended, refusal: refusals[code] ?? 'unavailable' };
}

const goOn = (state: State): State => ({ ...state, phase: 'ready', stop: null, limit: null });

/** A limit that the stake passes is not what refused it. */
function named(state: State, limit: LimitTold | null): State {
  if (state.stop !== 'limit') return state;
  const refused = limit && limit.left < state.stake;
  return { ...state, limit: refused ? limit : state.limit, heard: true };
}

/** The highest stake that the limit lets pass; none where it lets none. */
export function fitting({ stakes, stake, limit }: State): number | null {
  if (!limit) return stake;
  return stakes.findLast((one) => one <= limit.left) ?? null;
}

/** The stake changes between rounds only. */
function step(state: State, by: 1 | -1): State {
  if (state.phase !== 'ready') return state;
  const at = state.stakes.indexOf(state.stake) + by;
  const stake = state.stakes[at];
  return stake === undefined ? state : { ...state, stake, refusal: null };
}
