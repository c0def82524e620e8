// A session, rounds and their parts for tests.
import type { Round, Session, Slot, Spin, Step } from './session.ts';

export const aStep = (step: Partial<Step> = {}): Step => ({
  grid: Array.from({ length: 5 }, () => ['A', 'K', 'Q']),
  wins: [],
  multiplier: 1,
  win: 0,
  ...step,
});

export const aSpin = (spin: Partial<Spin> = {}): Spin => ({
  free: false,
  stops: [1, 2, 3, 4, 5],
  win: 0,
  awarded: 0,
  steps: [aStep()],
  ...spin,
});

export const aRound = (round: Partial<Round> = {}): Round => ({
  id: 'r-1',
  nonce: 1,
  at: 0,
  spins: [aSpin()],
  freeRounds: 0,
  stake: 10_000,
  win: 0,
  net: -10_000,
  commitment: 'ab'.repeat(32),
  clientSeed: 'own',
  seed: 'cd'.repeat(32),
  ...round,
});

export const aCommitment = (nonce: number) => ({
  nonce,
  commitment: nonce.toString(16).padStart(64, '0'),
  clientSeed: 'own',
  fixed: true,
});

export const aSlot = (slot: Partial<Slot> = {}): Slot => ({
  kind: 'lines',
  reels: 5,
  rows: 3,
  stakes: [5000, 10_000, 20_000],
  stake: 10_000,
  parts: 20,
  lines: 20,
  ways: 0,
  rtp: '96.20',
  strips: Array.from({ length: 5 }, () => ['A', 'K', 'Q', 'J', '10', 'dragon']),
  paylines: [
    [1, 1, 1, 1, 1],
    [0, 0, 0, 0, 0],
  ],
  paytable: { A: { '3': 10, '4': 30, '5': 150 }, scatter: { '3': 4, '4': 25, '5': 250 } },
  symbols: ['A', 'K', 'scatter'],
  wild: 'wild',
  scatter: 'scatter',
  multipliers: [1],
  freeRounds: null,
  open: null,
  last: null,
  nonce: 1,
  commitment: 'ab'.repeat(32),
  clientSeed: 'own',
  fixed: true,
  ...slot,
});

export const aSession = (
  session: Partial<Omit<Session, 'slot'>> = {},
  slot: Partial<Slot> = {},
): Session => ({
  token: 'token',
  game: { code: 'dragon', name: 'Rồng Vàng', engine: 'slot', theme: 'dragon', vendor: 'house' },
  player: {
    nickname: 'n',
    language: 'vi',
    trial: false,
    currency: { code: 'VND', symbol: '₫', position: 'B', pattern: '#,##0', decimals: 0 },
  },
  balance: 100_000,
  slot: aSlot(slot),
  ...session,
});
