// A table and rounds for tests.
import type { Bet, OwnTicket, Round, TableResponse, TableSession } from './wire.ts';

export const aRound = (round: Partial<Round> = {}): Round => ({
  id: '39',
  number: 39,
  phase: 'betting',
  opensAt: 1000,
  closesAt: 21_000,
  dealAt: 22_000,
  resultAt: 31_000,
  endsAt: 35_000,
  commitment: 'c0'.repeat(32),
  clientSeed: 'baccarat-1',
  seed: null,
  result: null,
  ...round,
});

export const aBet = (bet: Partial<Bet> = {}): Bet => ({
  id: '900',
  betId: 'a7f2c0de-0000-4000-8000-000000000001',
  spots: { banker: 50_000 },
  total: 50_000,
  status: 'placed',
  win: 0,
  ...bet,
});

export const aTicket = (ticket: Partial<OwnTicket> = {}): OwnTicket => ({
  ...aBet({ status: 'lost' }),
  at: 0,
  round: '38',
  number: 38,
  clientSeed: 'baccarat-1',
  commitment: 'c0'.repeat(32),
  seed: 'ab'.repeat(32),
  result: banker76,
  ...ticket,
});

export const banker76 = {
  player: ['6D', 'KC'],
  banker: ['9S', '8H'],
  winner: 'banker',
  playerPair: false,
  bankerPair: false,
  points: { player: 6, banker: 7 },
};

export const aTableResponse = (answer: Partial<TableResponse> = {}): TableResponse => ({
  now: 2000,
  table: {
    id: 'baccarat-1',
    engine: 'baccarat',
    name: 'Baccarat 01',
    phases: { betMs: 20_000, lockMs: 1000, dealMs: 9000, resultMs: 4000 },
    chips: [10_000, 20_000, 50_000, 100_000],
    unit: 10_000,
    minimum: 10_000,
    maximum: 500_000,
    spots: [
      { id: 'player', times: ['1'], rtp: '98.76', minimum: 10_000, maximum: 300_000 },
      { id: 'banker', times: ['0.95'], rtp: '98.94', minimum: 10_000, maximum: 300_000 },
      { id: 'tie', times: ['8'], rtp: '85.64', minimum: 10_000, maximum: 60_000 },
      { id: 'playerPair', times: ['11'], rtp: '89.64', minimum: 10_000, maximum: 60_000 },
      { id: 'bankerPair', times: ['11'], rtp: '89.64', minimum: 10_000, maximum: 60_000 },
    ],
  },
  round: aRound(),
  crowd: { players: 3, spots: { banker: { players: 2, amount: 250_000 } } },
  mine: [],
  history: [],
  balance: 1_000_000,
  ...answer,
});

export const aSession = (): TableSession => ({
  token: 'token',
  game: { code: 'live-001', name: 'Baccarat', engine: 'baccarat', theme: '', vendor: 'JL' },
  player: {
    nickname: 'n',
    language: 'en',
    trial: false,
    currency: { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0', decimals: 0 },
  },
  balance: 1_000_000,
});
