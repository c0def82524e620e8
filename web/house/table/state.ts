// What lies on the table, and what may happen next. Pure: events in, a new state out. Chips that were put down but not
// confirmed are nobody's stake: they exist only here, and go back when the betting closes.
import type { LimitTold } from '../../src/lib/game-messages.ts';
import { isOlder } from './phase.ts';
import type {
  Bet,
  BetAnswer,
  Crowd,
  Past,
  Round,
  Spots,
  Table,
  TableAnswer,
  TableNews,
} from './wire.ts';

type Stop = 'limit' | 'excluded' | 'expired' | 'elsewhere';

/** Why the last tap or the last ticket came to nothing. */
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

/** What the server has said of the player's own affairs. */
type Own = { mine: readonly Bet[]; balance: number; history: readonly Past[] };

export type State = {
  table: Table;
  round: Round | null;
  crowd: Crowd;
  /** What is known, and what is told: a result is known before the cards have shown it. */
  known: Own;
  told: Own;
  /** The round whose result has been shown. */
  shown: string | null;
  chip: number;
  /** Chips not confirmed, one step for each tap, so that each can be taken back. */
  put: readonly Spots[];
  /** The last stake that was confirmed, for those who want the same again. */
  last: Spots | null;
  sending: {
    id: string;
    round: string;
    spots: Spots;
    total: number;
    steps: readonly Spots[];
  } | null;
  notice: Notice | null;
  /** What may lie there at most, where the notice is that it was more. */
  most: number | null;
  stop: Stop | null;
  /** The limit that stopped it, once that is known. */
  limit: LimitTold | null;
  /** The app has said what it knows of the limit. */
  heard: boolean;
  paused: boolean;
};

export type Event =
  /** Late: the table has said more since this was asked for, and of the balance nobody can tell which is newer. */
  | { type: 'answer'; answer: TableAnswer; late: boolean }
  | { type: 'news'; news: TableNews }
  | { type: 'shown'; round: string }
  | { type: 'chip'; amount: number }
  | { type: 'put'; spot: string; open: boolean }
  | { type: 'undo' }
  | { type: 'clear' }
  | { type: 'repeat'; open: boolean }
  | { type: 'confirm'; id: string; open: boolean }
  | { type: 'placed'; answer: BetAnswer }
  | { type: 'refused'; code: string }
  /** Looking was refused: that says nothing of a ticket on its way. */
  | { type: 'barred'; code: string }
  | { type: 'closed' }
  /** The app says what can be staked. */
  | { type: 'balance'; balance: number }
  | { type: 'room'; limit: LimitTold | null }
  /** Go on after a limit, with what of the chips it lets pass. */
  | { type: 'lower' }
  | { type: 'paused'; paused: boolean };

export function begin({ table, round, crowd, mine, history, balance }: TableAnswer): State {
  const own = { mine, balance, history };
  const staked = sumOf(standing(mine).map(({ spots }) => spots));
  return {
    table,
    round,
    crowd,
    known: own,
    told: own,
    shown: null,
    chip: table.chips[Math.min(2, table.chips.length - 1)] ?? table.minimum,
    put: [],
    last: totalOf(staked) > 0 ? staked : null,
    sending: null,
    notice: null,
    most: null,
    stop: null,
    limit: null,
    heard: false,
    paused: false,
  };
}

/** Chips that are no stake yet: not confirmed, or on their way. What the table shows as recorded already is on its way no more. */
export function unstakedOf(state: State): Spots {
  const { sending, told } = state;
  if (!sending) return putOf(state);
  return told.mine.some(({ betId }) => betId === sending.id) ? {} : sending.spots;
}

/** Tickets that lie, or lay, on the table. */
const standing = (mine: readonly Bet[]): readonly Bet[] =>
  mine.filter(({ status }) => status !== 'refused');

const cents = (amount: number): number => Math.round(amount * 100) / 100;

export function sumOf(parts: readonly Spots[]): Spots {
  const sum: Record<string, number> = {};
  for (const part of parts)
    for (const [spot, amount] of Object.entries(part)) sum[spot] = cents((sum[spot] ?? 0) + amount);
  return sum;
}

export const totalOf = (spots: Spots): number =>
  cents(Object.values(spots).reduce((sum, amount) => sum + amount, 0));

/** What has been confirmed in this round, by spot. */
export const stakedOf = (state: State): Spots =>
  sumOf(standing(state.told.mine).map(({ spots }) => spots));

export const putOf = (state: State): Spots => sumOf(state.put);

export function next(state: State, event: Event): State {
  switch (event.type) {
    case 'answer': {
      const { round, crowd, table } = event.answer;
      if (isOlder(round, state.round)) return state;
      return settle({ ...turn(state, round), table, crowd, known: answered(state, event) });
    }
    case 'news':
      return settle(heard(state, event.news));
    case 'shown':
      return settle({ ...state, shown: event.round });
    case 'chip':
      return { ...state, chip: event.amount, notice: null };
    case 'put':
      return put(state, { [event.spot]: state.chip }, event.open);
    case 'repeat':
      return state.last ? put(state, state.last, event.open) : state;
    case 'undo':
      return { ...state, put: state.put.slice(0, -1), notice: null };
    case 'clear':
      return { ...state, put: [], notice: null };
    case 'confirm':
      return confirm(state, event.id, event.open);
    case 'placed': {
      const { bet, balance } = event.answer;
      const { sending } = state;
      if (bet.status === 'refused') return refuse(state, 'house.refunded');
      const known = { ...state.known, mine: merged(state.known.mine, [bet]), balance };
      // A ticket of a round that is over meanwhile is told by its own line, not laid on this one's cloth.
      const here = sending?.round === state.round?.id;
      return settle({
        ...state,
        known: here ? known : { ...state.known, balance },
        last: bet.spots,
        sending: null,
        notice: null,
      });
    }
    case 'barred':
      return { ...state, stop: stops[event.code] ?? state.stop };
    case 'refused':
      return refuse(state, event.code);
    case 'closed':
      if (state.put.length === 0) return state;
      return { ...state, put: [], notice: 'returned' };
    case 'paused': {
      // A stake is refused as over a limit while a reality check waits for its answer: that is what a pause may have been for.
      const goesOn = state.paused && !event.paused && state.stop === 'limit';
      return {
        ...state,
        paused: event.paused,
        ...(goesOn && { stop: null, limit: null, notice: null }),
      };
    }
    case 'balance':
      return settle({
        ...state,
        known: { ...state.known, balance: event.balance },
        notice: state.notice === 'insufficient' ? null : state.notice,
      });
    case 'room':
      return named(state, event.limit);
    case 'lower':
      return lower(state);
  }
}

/** A new round clears the cloth. */
function turn(state: State, round: Round | null): State {
  if (round?.id === state.round?.id) return { ...state, round };
  const staked = stakedOf(state);
  return {
    ...state,
    round,
    put: [],
    last: totalOf(staked) > 0 ? staked : state.last,
    notice: null,
  };
}

function heard(state: State, { round, crowd, mine, balance }: TableNews): State {
  const own = balance ?? state.known.balance;
  // The first word of a line may be of before what was told meanwhile; its balance never is.
  if (round && isOlder(round, state.round))
    return { ...state, known: { ...state.known, balance: own } };
  const turned = round === undefined ? state : turn(state, round);
  const anew = turned.round?.id !== state.round?.id;
  const before = anew ? [] : state.known.mine;
  const known: Own = {
    mine: merged(before, mine ?? []),
    balance: own,
    history: withResult(state.known.history, turned.round),
  };
  return { ...turned, crowd: crowd ?? state.crowd, known };
}

function answered(state: State, { answer, late }: Extract<Event, { type: 'answer' }>): Own {
  const { round, mine, balance, history } = answer;
  return {
    mine: merged(round?.id === state.round?.id ? state.known.mine : [], mine),
    balance: late ? state.known.balance : balance,
    history,
  };
}

/** Rounds kept for the roads. */
const kept = 60;

function withResult(history: readonly Past[], round: Round | null): readonly Past[] {
  if (!round || round.result == null || round.phase === 'void') return history;
  const { number, result } = round;
  if (history.some((past) => past.number === number)) return history;
  return [...history, { number, result }].slice(-kept);
}

/** No ticket of a round goes again, and none that is settled becomes open: whichever word came first. */
function merged(known: readonly Bet[], told: readonly Bet[]): readonly Bet[] {
  const all = new Map(known.map((bet) => [bet.id, bet]));
  for (const bet of told) {
    const before = all.get(bet.id);
    if (!before || before.status === 'placed' || before.status === 'owed') all.set(bet.id, bet);
  }
  return [...all.values()];
}

/** What is known is told, but for what a result that is not shown yet would give away. */
function settle(state: State): State {
  const { round, known, told } = state;
  if (round?.result == null || round.id === state.shown) return { ...state, told: known };
  const before = (own: Own): readonly Past[] =>
    own.history.filter(({ number }) => number !== round.number);
  const mine = known.mine.map((bet): Bet => ({ ...bet, status: 'placed', win: 0 }));
  // Without a stake in it the balance says nothing of the result.
  const { balance } = standing(known.mine).length === 0 ? known : told;
  return { ...state, told: { mine, balance, history: before(known) } };
}

/** Does what was tapped. The balance may have grown elsewhere: the table is asked before a tap is refused for want of it. */
export async function onceCovered(
  now: () => State,
  tapped: Event,
  ask: () => Promise<void>,
  run: () => void,
): Promise<void> {
  const before = now();
  const tried = next(before, tapped);
  if (tried === before || tried.notice !== 'insufficient') {
    run();
    return;
  }
  await ask();
  const { round, put: chips, chip } = now();
  // A tap is not for what has changed since.
  if (round?.id === before.round?.id && chips === before.put && chip === before.chip) run();
}

function put(state: State, spots: Spots, open: boolean): State {
  if (!open) return { ...state, notice: 'closed' };
  if (state.paused || state.stop || state.sending) return state;
  const all = sumOf([putOf(state), spots]);
  const laid = stakedOf(state);
  const total = totalOf(all);
  if (total > state.told.balance) return { ...state, notice: 'insufficient' };
  if (total > state.table.maximum)
    return { ...state, notice: 'ticketMaximum', most: state.table.maximum };
  const over = state.table.spots.find(
    ({ id, maximum }) => (all[id] ?? 0) > 0 && cents((all[id] ?? 0) + (laid[id] ?? 0)) > maximum,
  );
  if (over) return { ...state, notice: 'spotMaximum', most: over.maximum };
  return { ...state, put: [...state.put, spots], notice: null };
}

function confirm(state: State, id: string, open: boolean): State {
  const spots = putOf(state);
  const total = totalOf(spots);
  if (total === 0 || state.sending || state.paused || state.stop || !state.round) return state;
  if (!open) return { ...state, put: [], notice: 'closed' };
  if (total > state.told.balance) return { ...state, notice: 'insufficient' };
  const under = state.table.spots.some(
    ({ id: spot, minimum }) => spots[spot] !== undefined && spots[spot] < minimum,
  );
  if (under || total < state.table.minimum) return { ...state, notice: 'minimum' };
  return {
    ...state,
    sending: { id, round: state.round.id, spots, total, steps: state.put },
    put: [],
    notice: null,
  };
}

const stops: Readonly<Record<string, Stop>> = {
  'house.limit_reached': 'limit',
  'house.excluded': 'excluded',
  'house.session_expired': 'expired',
  'house.replaced': 'elsewhere',
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

/** Nothing was staked. What had been put down lies there again, where the round still takes it. */
function refuse(state: State, code: string): State {
  const { sending } = state;
  const stop = stops[code] ?? state.stop;
  const takes = stop === null || stop === 'limit';
  const again =
    sending && takes && sending.round === state.round?.id && code !== 'house.betting_closed';
  return {
    ...state,
    sending: null,
    put: again ? sending.steps : [],
    stop,
    limit: null,
    heard: false,
    // What stops the game has a card of its own.
    notice: stop ? null : (notices[code] ?? 'unavailable'),
    most: null,
  };
}

/** A limit that the chips pass is not what refused them. */
function named(state: State, limit: LimitTold | null): State {
  const total = totalOf(putOf(state));
  if (state.stop !== 'limit') return state;
  const refused = limit && (total === 0 || limit.left < total);
  return { ...state, limit: refused ? limit : state.limit, heard: true };
}

/** What of the chips a limit lets pass, the last ones taken back first; none where this table takes no stake as small as that. */
export function fitting({ put: steps, limit, table }: State): readonly Spots[] | null {
  if (!limit) return steps;
  if (limit.left < table.minimum) return null;
  const passes = (many: number): boolean => totalOf(sumOf(steps.slice(0, many))) <= limit.left;
  let many = steps.length;
  while (!passes(many)) many -= 1;
  return steps.slice(0, many);
}

function lower(state: State): State {
  if (state.stop !== 'limit') return state;
  const { limit, table, chip } = state;
  const small = limit ? table.chips.findLast((one) => one <= limit.left) : undefined;
  return {
    ...state,
    put: fitting(state) ?? [],
    chip: small === undefined ? chip : Math.min(chip, small),
    stop: null,
    limit: null,
    notice: null,
  };
}
