// What the House's server tells a live table's frame. Times are the server's, in milliseconds; amounts in the
// currency's unit.
import type { Currency } from '../../src/lib/currency.ts';
import type { Api } from '../kit/api.ts';

export type EngineName = 'baccarat' | 'sicbo' | 'dragontiger' | 'roulette';

export type TableSession = {
  token: string;
  game: { code: string; name: string; engine: string; theme: string; vendor: string };
  player: {
    nickname: string;
    language: string;
    trial: boolean;
    currency: Currency & { decimals: number };
  };
  balance: number;
};

export type Spots = Readonly<Record<string, number>>;

export type SpotRule = {
  id: string;
  /** Profit for each unit staked, as a decimal; several where it depends on how often the spot is hit. */
  times: string | readonly string[];
  /** Of a wheel: the numbers that it covers. */
  numbers?: readonly number[];
  /** Average return in percent. */
  rtp: string;
  minimum: number;
  maximum: number;
};

export type Table = {
  id: string;
  engine: EngineName;
  name: string;
  phases: { betMs: number; lockMs: number; dealMs: number; resultMs: number };
  chips: readonly number[];
  /** Of one ticket. */
  minimum: number;
  maximum: number;
  spots: readonly SpotRule[];
};

type RoundPhase = 'waiting' | 'betting' | 'locked' | 'dealing' | 'result' | 'void';

export type Round = {
  id: string;
  number: number;
  phase: RoundPhase;
  opensAt: number;
  closesAt: number;
  dealAt: number;
  resultAt: number;
  endsAt: number;
  commitment: string;
  seed: string | null;
  result: unknown;
};

/** Real people and real stakes; nothing here is made up. */
export type Crowd = {
  players: number;
  spots: Readonly<Record<string, { players: number; amount: number }>>;
};

export type Bet = {
  /** Of the round in the record, by which its proof is found. */
  id: string;
  /** As the frame named it. */
  betId: string;
  spots: Spots;
  total: number;
  /** Owed: what comes back could not be paid yet, and will be later. */
  status: 'placed' | 'won' | 'lost' | 'owed' | 'refunded' | 'refused';
  /** What comes back; of one that is owed, what is to come. */
  win: number;
};

export type Past = { number: number; result: unknown };

export type TableAnswer = {
  now: number;
  table: Table;
  round: Round | null;
  crowd: Crowd;
  mine: readonly Bet[];
  history: readonly Past[];
  balance: number;
};

/** What the stream sends: what has changed, and the time of it. */
export type TableNews = Partial<Omit<TableAnswer, 'table' | 'history'>>;

export type BetAnswer = { bet: Bet; balance: number };

/** One of the player's own tickets, with what proves its round. */
export type OwnTicket = Bet & {
  at: number;
  round: string;
  number: number;
  commitment: string;
  seed: string | null;
  result: unknown;
};

export type MineAnswer = { list: readonly OwnTicket[]; next: string | null };

/** The player's own tickets, the latest first, from where the last piece ended. */
export const ownTickets = (api: Api, before: string | null): Promise<MineAnswer> =>
  api.get<MineAnswer>(
    before === null ? 'table/mine' : `table/mine?before=${encodeURIComponent(before)}`,
  );
