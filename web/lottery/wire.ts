// The request and response bodies under /lgw, as docs/lottery-protocol.md describes them. Amounts are in the currency's unit.

export type GameType = 'ssc' | 'k3' | 'pk10' | 'keno' | 'regional';
type Region = 'north' | 'central' | 'south';
export type PlayType = 'ent' | 'trad';

export type Game = {
  gameId: string;
  gameCode: string;
  gameName: string;
  gameGroupId: string;
  type: GameType;
  /** Seconds between two draws. */
  period: number;
  region?: Region;
  /** The default first. */
  prizeModes: string[];
  numero: string;
  openTime: number;
  closeTime: number;
  drawTime: number;
  serverTime: number;
  last?: { numero: string; winNo: string };
  simulated?: boolean;
};

export type GameGroup = { gameGroupId: string; name: string; games: string[] };

export type Pick = {
  kind: 'number' | 'set' | 'pattern' | 'positions' | 'option';
  /** Text in front of an entry's numbers. */
  prefix?: string;
  from: number;
  to: number;
  digits: number;
  min: number;
  max: number;
  positions: number;
  options?: string[];
};

export type Outcome = { when: string; odds: string; chance: string; rtp: string };

export type Play = {
  playCode: string;
  name: string;
  group: string;
  pick: Pick;
  stake: { unit: number; min: number; max: number; maxLines: number };
  /** Prizes that can win. A line costs its stake once for each of them. */
  prizes: number;
  odds?: string;
  chance?: string;
  rtp?: string;
  outcomes?: Outcome[];
};

/** One draw of a game, with the time in which it takes bets. */
export type Numero = {
  numero: string;
  openTime: number;
  closeTime: number;
  drawTime: number;
  serverTime: number;
  status: 'open' | 'closed' | 'drawn' | 'settled' | 'void';
  series?: string;
  link?: number;
  salt?: string;
};

type Proof = {
  series: string;
  link: number;
  commitment: string;
  seed: string;
  salt: string;
  nonce: number;
  version: number;
};

export type Draw = {
  numero: string;
  winNo: string;
  drawTime: number;
  status: 'drawn' | 'settled';
  proof?: Proof;
  simulated?: boolean;
};

export type Series = {
  series: string;
  gameCode: string;
  end: string;
  salt: string;
  saltSource: 'operator' | 'beacon' | 'announced';
  firstNumero: string;
  length: number;
};

export type Prizes = { numero: string; prizes: Record<string, string[]>; simulated?: boolean };

export type Stats = {
  playCode: string;
  /** How many draws were counted. */
  draws: number;
  numbers: { number: string; times: number; draws: number; omission: number; longest: number }[];
};

export type Session = {
  session: string;
  expiresAt: number;
  currency: string;
  balance: number;
  trial: boolean;
  /** Names the player on this device. */
  player: string;
  language: string;
  /** Absent in a lobby. */
  gameId?: string;
};

export type BetRequest = {
  playCode: string;
  selection: string;
  /** Per line. */
  stake: number;
  multiple: number;
  /** Absent for a play with outcomes. */
  odds?: string;
};

export type Chase = { count: number; multiplier: number; stopOnWin: boolean };

export type OrderRequest = {
  requestId: string;
  gameId: string;
  numero: string;
  playType: PlayType;
  prizeMode: string;
  bets: BetRequest[];
  chase?: Chase;
};

export type PlacedOrder = { orderId: string; total: number; balance: number; numeros: string[] };

export type BetState = 'open' | 'won' | 'lost' | 'void' | 'cancelled';

export type Bet = {
  betId: string;
  numero: string;
  playCode: string;
  selection: string;
  stake: number;
  multiple: number;
  lines: number;
  amount: number;
  odds?: string;
  state: BetState;
  payout: number;
  rebate: number;
};

export type Order = {
  orderId: string;
  gameId: string;
  prizeMode: string;
  createdAt: number;
  total: number;
  bets: Bet[];
};

export type Page<T> = { list: T[]; next: string };
