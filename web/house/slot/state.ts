// The state of a slot as a pure reducer.
import type { LimitState } from '../../src/lib/game-messages.ts';
import type { Round } from './session.ts';
import { minRoundMs } from './timing.ts';

type Stop = 'limit' | 'excluded' | 'expired';

export type State = {
  phase: 'ready' | 'spinning' | 'stopped';
  balance: number;
  stake: number;
  stakes: readonly number[];
  /** The requested round. A retry has the same id, so the stake is taken once. */
  spin: { id: string; stake: number; at: number } | null;
  /** The server's result, until it is shown. */
  pending: { round: Round; balance: number } | null;
  shown: Round | null;
  /** The round shown before the spin. It returns when the spin is refused. */
  previous: Round | null;
  trouble: { attempt: number; since: number } | null;
  /** Why the last spin did not start. */
  refusal: 'insufficient' | 'unavailable' | 'maintenance' | 'refunded' | 'stuck' | null;
  stop: Stop | null;
  /** The limit that refused the stake, when the app has sent it. */
  limit: LimitState | null;
  /** The app has replied, possibly without a limit. */
  isLimitKnown: boolean;
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
  /** The app sent a balance. It does not include a running round. */
  | { type: 'appBalance'; balance: number }
  | { type: 'stake'; step: 1 | -1 }
  | { type: 'limitKnown'; limit: LimitState | null }
  /** Continue after a limit, with a stake that fits it. */
  | { type: 'lowerStake' }
  | { type: 'paused'; paused: boolean };

export function initialState(session: {
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
    pending: null,
    shown: null,
    previous: null,
    trouble: null,
    refusal: null,
    stop: null,
    limit: null,
    isLimitKnown: false,
    paused: false,
  };
}

export function canSpin(state: State, now: number): boolean {
  if (state.phase !== 'ready' || state.paused) return false;
  return state.spin === null || now - state.spin.at >= minRoundMs;
}

const stops: Readonly<Record<string, Stop>> = {
  'house.limit_reached': 'limit',
  'house.excluded': 'excluded',
  'house.session_expired': 'expired',
};

const refusals: Readonly<Record<string, State['refusal']>> = {
  'house.insufficient_funds': 'insufficient',
  'house.refunded': 'refunded',
  'house.set_aside': 'stuck',
  'house.game_closed': 'maintenance',
};

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'spin':
      return startSpin(state, event.id, event.at);
    case 'answered':
      if (state.phase !== 'spinning' || state.pending) return state;
      return {
        ...state,
        pending: { round: event.round, balance: event.balance },
        // The win is added when the result is shown.
        balance: event.balance - event.round.win,
        trouble: null,
      };
    case 'shown':
      if (!state.pending) return state;
      return {
        ...state,
        phase: 'ready',
        shown: state.pending.round,
        balance: state.pending.balance,
        pending: null,
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
      return refuseSpin(state, event.code);
    case 'resumed':
      return {
        ...state,
        shown: event.round,
        balance: event.balance,
        trouble: null,
      };
    case 'balance':
      return { ...state, balance: event.balance, trouble: null };
    case 'appBalance':
      if (state.phase === 'spinning' || state.trouble) return state;
      return {
        ...state,
        balance: event.balance,
        refusal: state.refusal === 'insufficient' ? null : state.refusal,
      };
    case 'stake':
      return changeStake(state, event.step);
    case 'limitKnown':
      return setLimit(state, event.limit);
    case 'lowerStake':
      if (state.stop !== 'limit') return state;
      return { ...resumePlay(state), stake: highestAllowedStake(state) ?? state.stake };
    case 'paused':
      // A reality check refuses stakes as over a limit, so play continues when its pause ends.
      if (state.paused && !event.paused && state.stop === 'limit')
        return { ...resumePlay(state), paused: false };
      return { ...state, paused: event.paused };
  }
}

function startSpin(state: State, id: string, at: number): State {
  if (!canSpin(state, at)) return state;
  if (state.stake > state.balance) return { ...state, refusal: 'insufficient' };
  return {
    ...state,
    phase: 'spinning',
    spin: { id, stake: state.stake, at },
    shown: null,
    previous: state.shown,
    refusal: null,
    trouble: null,
  };
}

function refuseSpin(state: State, code: string): State {
  const stop = stops[code];
  const ended: State = {
    ...state,
    phase: 'ready',
    pending: null,
    shown: state.previous,
    trouble: null,
    limit: null,
    isLimitKnown: false,
  };
  if (stop) return { ...ended, phase: 'stopped', stop };
  return { ...ended, refusal: refusals[code] ?? 'unavailable' };
}

const resumePlay = (state: State): State => ({ ...state, phase: 'ready', stop: null, limit: null });

/** Drops a limit that allows the stake, because it cannot be why the stake was refused. */
function setLimit(state: State, limit: LimitState | null): State {
  if (state.stop !== 'limit') return state;
  const refused = limit && limit.left < state.stake;
  return { ...state, limit: refused ? limit : state.limit, isLimitKnown: true };
}

export function highestAllowedStake({ stakes, stake, limit }: State): number | null {
  if (!limit) return stake;
  return stakes.findLast((one) => one <= limit.left) ?? null;
}

function changeStake(state: State, by: 1 | -1): State {
  if (state.phase !== 'ready') return state;
  const at = state.stakes.indexOf(state.stake) + by;
  const stake = state.stakes[at];
  return stake === undefined ? state : { ...state, stake, refusal: null };
}
