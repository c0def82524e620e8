// The House server's responses for tables. Times are the server's, in milliseconds; amounts in the currency's unit.
import type { Currency } from '../../src/lib/currency.ts';
import type { Api } from '../kit/api.ts';

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
  /** Profit per unit staked; several when it depends on how often the spot is hit. */
  times: string | readonly string[];
  /** The numbers that a roulette spot covers. */
  numbers?: readonly number[];
  /** Average return in percent. */
  rtp: string;
  minimum: number;
  maximum: number;
};

export type Table = {
  id: string;
  engine: string;
  name: string;
  phases: { betMs: number; lockMs: number; dealMs: number; drawMs?: number; resultMs: number };
  chips: readonly number[];
  /** Every stake is a multiple of it. */
  unit: number;
  /** Limits of one ticket. */
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
  /** The salt of the series and the table's id. */
  clientSeed: string;
  seed: string | null;
  result: unknown;
};

/** The players with a ticket in this round, of the same kind of money as the caller. */
export type Crowd = {
  players: number;
  spots: Readonly<Record<string, { players: number; amount: number }>>;
};

export type Bet = {
  /** The record's id, for verification. */
  id: string;
  /** The id that the frame created. */
  betId: string;
  spots: Spots;
  total: number;
  /** `owed`: the win could not be paid yet. */
  status: 'placed' | 'won' | 'lost' | 'owed' | 'refunded' | 'refused';
  /** The amount that comes back, or that is owed. */
  win: number;
};

export type PastRound = { number: number; result: unknown };

export type TableResponse = {
  now: number;
  table: Table;
  round: Round | null;
  crowd: Crowd;
  mine: readonly Bet[];
  history: readonly PastRound[];
  balance: number;
};

/** An update from the stream, with only the changed fields. */
export type TableUpdate = Partial<Omit<TableResponse, 'table' | 'history'>>;

export type BetResponse = { bet: Bet; balance: number };

export type OwnTicket = Bet & {
  at: number;
  round: string;
  number: number;
  clientSeed: string;
  commitment: string;
  seed: string | null;
  result: unknown;
};

export type TicketsResponse = { list: readonly OwnTicket[]; next: string | null };

export const ownTickets = (api: Api, before: string | null): Promise<TicketsResponse> =>
  api.get<TicketsResponse>(
    before === null ? 'table/mine' : `table/mine?before=${encodeURIComponent(before)}`,
  );
