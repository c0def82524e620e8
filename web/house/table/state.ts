// The state of a table as a pure reducer. Unconfirmed chips exist only here; they go back when betting closes.
import type { LimitState } from '../../src/lib/game-messages.ts';
import { isOlder } from './phase.ts';
import type {
  Bet,
  BetResponse,
  Crowd,
  PastRound,
  Round,
  Spots,
  Table,
  TableResponse,
  TableUpdate,
} from './wire.ts';

type Stop = 'limit' | 'excluded' | 'expired' | 'replaced';

/** Why the last tap or ticket was refused. */
export type Notice =
  | 'closed'
  | 'insufficient'
  | 'spotMaximum'
  | 'ticketMaximum'
  | 'minimum'
  | 'multiple'
  | 'tickets'
  | 'returned'
  | 'maintenance'
  | 'unavailable';

type OwnData = { mine: readonly Bet[]; balance: number; history: readonly PastRound[] };

export type State = {
  table: Table;
  round: Round | null;
  crowd: Crowd;
  /** `latest` may contain a result that the stage has not shown yet. `visible` hides it until then. */
  latest: OwnData;
  visible: OwnData;
  shownRound: string | null;
  chip: number;
  /** One entry per tap, for undo. */
  unconfirmed: readonly Spots[];
  /** The last confirmed stake, for repeating it. */
  lastStake: Spots | null;
  sending: {
    id: string;
    round: string;
    spots: Spots;
    total: number;
    steps: readonly Spots[];
  } | null;
  notice: Notice | null;
  /** The limit that the notice mentions, if any. */
  maximum: number | null;
  stop: Stop | null;
  /** The limit that refused the stake, when the app has sent it. */
  limit: LimitState | null;
  /** The app has replied, possibly without a limit. */
  isLimitKnown: boolean;
  paused: boolean;
};

export type Event =
  /** `late`: an update changed the balance after this request, so its balance may be outdated. */
  | { type: 'response'; response: TableResponse; late: boolean }
  | { type: 'update'; update: TableUpdate }
  | { type: 'shown'; round: string }
  | { type: 'chip'; amount: number }
  | { type: 'placeChip'; spot: string; open: boolean }
  | { type: 'undo' }
  | { type: 'clear' }
  | { type: 'repeat'; open: boolean }
  | { type: 'confirm'; id: string; open: boolean }
  | { type: 'placed'; response: BetResponse }
  | { type: 'refused'; code: string }
  /** Reading the table was refused. A ticket in flight is not affected. */
  | { type: 'readRefused'; code: string }
  | { type: 'closed' }
  | { type: 'balance'; balance: number }
  | { type: 'limitKnown'; limit: LimitState | null }
  /** Continue after a limit, with the chips that fit it. */
  | { type: 'lowerStake' }
  | { type: 'paused'; paused: boolean };

/** `chosen` is the player's chip and last stake from an earlier visit. */
export function initialState(
  { table, round, crowd, mine, history, balance }: TableResponse,
  chosen: { chip: number | null; spots: Spots } = { chip: null, spots: {} },
): State {
  const own = { mine, balance, history };
  const accepted = sumOf(acceptedBets(mine).map(({ spots }) => spots));
  const staked = totalOf(accepted) > 0 ? accepted : chosen.spots;
  return {
    table,
    round,
    crowd,
    latest: own,
    visible: own,
    shownRound: null,
    chip: chosen.chip ?? table.chips[Math.min(2, table.chips.length - 1)] ?? table.minimum,
    unconfirmed: [],
    lastStake: isOffered(table, staked) ? staked : null,
    sending: null,
    notice: null,
    maximum: null,
    stop: null,
    limit: null,
    isLimitKnown: false,
    paused: false,
  };
}

/** Reports whether a table takes these stakes in one ticket. */
function isOffered(table: Table, stakes: Spots): boolean {
  const total = totalOf(stakes);
  const takes = ([id, amount]: [string, number]): boolean =>
    table.spots.some(
      (spot) =>
        spot.id === id &&
        amount >= spot.minimum &&
        amount <= spot.maximum &&
        Number.isInteger(roundToCents(amount / table.unit)),
    );
  return total > 0 && total <= table.maximum && Object.entries(stakes).every(takes);
}

/** Returns unconfirmed chips, or those of a ticket in flight until the table lists it. */
export function notYetStaked(state: State): Spots {
  const { sending, visible } = state;
  if (!sending) return unconfirmedOf(state);
  return visible.mine.some(({ betId }) => betId === sending.id) ? {} : sending.spots;
}

const acceptedBets = (mine: readonly Bet[]): readonly Bet[] =>
  mine.filter(({ status }) => status !== 'refused');

const roundToCents = (amount: number): number => Math.round(amount * 100) / 100;

export function sumOf(parts: readonly Spots[]): Spots {
  const sum: Record<string, number> = {};
  for (const part of parts)
    for (const [spot, amount] of Object.entries(part))
      sum[spot] = roundToCents((sum[spot] ?? 0) + amount);
  return sum;
}

export const totalOf = (spots: Spots): number =>
  roundToCents(Object.values(spots).reduce((sum, amount) => sum + amount, 0));

export const stakedOf = (state: State): Spots =>
  sumOf(acceptedBets(state.visible.mine).map(({ spots }) => spots));

export const unconfirmedOf = (state: State): Spots => sumOf(state.unconfirmed);

export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'response': {
      const { round, crowd, table } = event.response;
      if (isOlder(round, state.round)) return state;
      return updateVisible({
        ...startRound(state, round),
        table,
        crowd,
        latest: mergeOwn(state, event),
      });
    }
    case 'update':
      return updateVisible(applyUpdate(state, event.update));
    case 'shown':
      return updateVisible({ ...state, shownRound: event.round });
    case 'chip':
      return { ...state, chip: event.amount, notice: null };
    case 'placeChip':
      return placeChips(state, { [event.spot]: state.chip }, event.open);
    case 'repeat':
      return state.lastStake ? placeChips(state, state.lastStake, event.open) : state;
    case 'undo':
      return { ...state, unconfirmed: state.unconfirmed.slice(0, -1), notice: null };
    case 'clear':
      return { ...state, unconfirmed: [], notice: null };
    case 'confirm':
      return confirmChips(state, event.id, event.open);
    case 'placed': {
      const { bet, balance } = event.response;
      const { sending } = state;
      if (bet.status === 'refused') return refuseTicket(state, 'house.refunded');
      const latest = { ...state.latest, mine: mergeBets(state.latest.mine, [bet]), balance };
      // A ticket of an earlier round is shown as a missed result instead.
      const isCurrentRound = sending?.round === state.round?.id;
      return updateVisible({
        ...state,
        latest: isCurrentRound ? latest : { ...state.latest, balance },
        lastStake: bet.spots,
        sending: null,
        notice: null,
      });
    }
    case 'readRefused':
      return { ...state, stop: stops[event.code] ?? state.stop };
    case 'refused':
      return refuseTicket(state, event.code);
    case 'closed':
      if (state.unconfirmed.length === 0) return state;
      return { ...state, unconfirmed: [], notice: 'returned' };
    case 'paused': {
      // A reality check refuses stakes as over a limit, so play continues when its pause ends.
      const canResume = state.paused && !event.paused && state.stop === 'limit';
      return {
        ...state,
        paused: event.paused,
        ...(canResume && { stop: null, limit: null, notice: null }),
      };
    }
    case 'balance':
      return updateVisible({
        ...state,
        latest: { ...state.latest, balance: event.balance },
        notice: state.notice === 'insufficient' ? null : state.notice,
      });
    case 'limitKnown':
      return setLimit(state, event.limit);
    case 'lowerStake':
      return lowerStake(state);
  }
}

function startRound(state: State, round: Round | null): State {
  if (round?.id === state.round?.id) return { ...state, round };
  const staked = stakedOf(state);
  return {
    ...state,
    round,
    unconfirmed: [],
    lastStake: totalOf(staked) > 0 ? staked : state.lastStake,
    notice: null,
  };
}

function applyUpdate(state: State, { round, crowd, mine, balance }: TableUpdate): State {
  const own = balance ?? state.latest.balance;
  // The first update of a connection may be outdated, but its balance is not.
  if (round && isOlder(round, state.round))
    return { ...state, latest: { ...state.latest, balance: own } };
  const updated = round === undefined ? state : startRound(state, round);
  const isNewRound = updated.round?.id !== state.round?.id;
  const before = isNewRound ? [] : state.latest.mine;
  const latest: OwnData = {
    mine: mergeBets(before, mine ?? []),
    balance: own,
    history: withResult(state.latest.history, updated.round),
  };
  return { ...updated, crowd: crowd ?? state.crowd, latest };
}

function mergeOwn(state: State, { response, late }: Extract<Event, { type: 'response' }>): OwnData {
  const { round, mine, balance, history } = response;
  return {
    mine: mergeBets(round?.id === state.round?.id ? state.latest.mine : [], mine),
    balance: late ? state.latest.balance : balance,
    history,
  };
}

const maxHistory = 60;

function withResult(history: readonly PastRound[], round: Round | null): readonly PastRound[] {
  if (!round || round.result == null || round.phase === 'void') return history;
  const { number, result } = round;
  if (history.some((past) => past.number === number)) return history;
  return [...history, { number, result }].slice(-maxHistory);
}

/** Merges tickets in any order. None disappears, and settled ones stay settled. */
function mergeBets(known: readonly Bet[], updates: readonly Bet[]): readonly Bet[] {
  const all = new Map(known.map((bet) => [bet.id, bet]));
  for (const bet of updates) {
    const before = all.get(bet.id);
    if (!before || before.status === 'placed' || before.status === 'owed') all.set(bet.id, bet);
  }
  return [...all.values()];
}

/** Copies `latest` to `visible`, without data that reveals a result not shown yet. */
function updateVisible(state: State): State {
  const { round, latest, visible } = state;
  if (round?.result == null || round.id === state.shownRound) return { ...state, visible: latest };
  const before = (own: OwnData): readonly PastRound[] =>
    own.history.filter(({ number }) => number !== round.number);
  const mine = latest.mine.map((bet): Bet => ({ ...bet, status: 'placed', win: 0 }));
  // Without a stake the balance reveals nothing.
  const { balance } = acceptedBets(latest.mine).length === 0 ? latest : visible;
  return { ...state, visible: { mine, balance, history: before(latest) } };
}

/** Runs a tap. The balance may have grown elsewhere, so it is fetched before the tap is refused. */
export async function retryWithFreshBalance(
  now: () => State,
  event: Event,
  refresh: () => Promise<void>,
  run: () => void,
): Promise<void> {
  const before = now();
  const attempted = reduce(before, event);
  if (attempted === before || attempted.notice !== 'insufficient') {
    run();
    return;
  }
  await refresh();
  const { round, unconfirmed: chips, chip } = now();
  if (round?.id === before.round?.id && chips === before.unconfirmed && chip === before.chip) run();
}

function placeChips(state: State, spots: Spots, open: boolean): State {
  if (!open) return { ...state, notice: 'closed' };
  if (state.paused || state.stop || state.sending) return state;
  const all = sumOf([unconfirmedOf(state), spots]);
  const staked = stakedOf(state);
  const total = totalOf(all);
  if (total > state.visible.balance) return { ...state, notice: 'insufficient' };
  if (total > state.table.maximum)
    return { ...state, notice: 'ticketMaximum', maximum: state.table.maximum };
  const over = state.table.spots.find(
    ({ id, maximum }) =>
      (all[id] ?? 0) > 0 && roundToCents((all[id] ?? 0) + (staked[id] ?? 0)) > maximum,
  );
  if (over) return { ...state, notice: 'spotMaximum', maximum: over.maximum };
  return { ...state, unconfirmed: [...state.unconfirmed, spots], notice: null };
}

function confirmChips(state: State, id: string, open: boolean): State {
  const spots = unconfirmedOf(state);
  const total = totalOf(spots);
  if (total === 0 || state.sending || state.paused || state.stop || !state.round) return state;
  if (!open) return { ...state, unconfirmed: [], notice: 'closed' };
  if (total > state.visible.balance) return { ...state, notice: 'insufficient' };
  const under = state.table.spots.some(
    ({ id: spot, minimum }) => spots[spot] !== undefined && spots[spot] < minimum,
  );
  if (under || total < state.table.minimum) return { ...state, notice: 'minimum' };
  return {
    ...state,
    sending: { id, round: state.round.id, spots, total, steps: state.unconfirmed },
    unconfirmed: [],
    notice: null,
  };
}

const stops: Readonly<Record<string, Stop>> = {
  'house.limit_reached': 'limit',
  'house.excluded': 'excluded',
  'house.session_expired': 'expired',
  'house.replaced': 'replaced',
};

const notices: Readonly<Record<string, Notice>> = {
  'house.insufficient_funds': 'insufficient',
  'house.betting_closed': 'closed',
  'house.spot_limit': 'spotMaximum',
  'house.table_limit': 'ticketMaximum',
  'house.below_minimum': 'minimum',
  'house.wrong_multiple': 'multiple',
  'house.invalid_stake': 'multiple',
  'house.too_many_tickets': 'tickets',
  'house.game_closed': 'maintenance',
};

/** Nothing was staked. Chips return to the cloth when the round still accepts them. */
function refuseTicket(state: State, code: string): State {
  const { sending } = state;
  const stop = stops[code] ?? state.stop;
  const canBet = stop === null || stop === 'limit';
  const restore =
    sending && canBet && sending.round === state.round?.id && code !== 'house.betting_closed';
  return {
    ...state,
    sending: null,
    unconfirmed: restore ? sending.steps : [],
    stop,
    limit: null,
    isLimitKnown: false,
    notice: stop ? null : (notices[code] ?? 'unavailable'),
    maximum: null,
  };
}

/** A limit that allows the chips did not refuse them. */
function setLimit(state: State, limit: LimitState | null): State {
  const total = totalOf(unconfirmedOf(state));
  if (state.stop !== 'limit') return state;
  const refused = limit && (total === 0 || limit.left < total);
  return { ...state, limit: refused ? limit : state.limit, isLimitKnown: true };
}

/** Returns the chips within the limit, dropping the last ones first; null when the limit is below the table's minimum. */
export function chipsWithinLimit({
  unconfirmed: steps,
  limit,
  table,
}: State): readonly Spots[] | null {
  if (!limit) return steps;
  if (limit.left < table.minimum) return null;
  const passes = (count: number): boolean => totalOf(sumOf(steps.slice(0, count))) <= limit.left;
  let count = steps.length;
  while (!passes(count)) count -= 1;
  return steps.slice(0, count);
}

function lowerStake(state: State): State {
  if (state.stop !== 'limit') return state;
  const { limit, table, chip } = state;
  const small = limit ? table.chips.findLast((one) => one <= limit.left) : undefined;
  return {
    ...state,
    unconfirmed: chipsWithinLimit(state) ?? [],
    chip: small === undefined ? chip : Math.min(chip, small),
    stop: null,
    limit: null,
    notice: null,
  };
}
