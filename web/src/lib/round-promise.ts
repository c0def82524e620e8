// Compares a finished slot round with the values that this browser had before the spin. A server that changes a commitment and its seed
// together is detected only in this way. The House frame and the app share the storage.
import { localStore } from './storage.ts';

/** The commitment that the server published before a round, and the client seed and nonce of that round. */
export type RoundCommitment = { commitment: string; clientSeed: string; nonce: number };

/** How a round differs: from the server's commitment and nonce, or from the client seed that the browser sent. */
export type BrokenPromise = 'commitment' | 'clientSeed';

type Remembered = { promise: RoundCommitment; broken: BrokenPromise | null };

const storageKey = 'house.promises';
const maxRounds = 100;

export function compareWithPromise(
  promise: RoundCommitment,
  round: RoundCommitment,
): BrokenPromise | null {
  if (round.commitment !== promise.commitment || round.nonce !== promise.nonce) return 'commitment';
  return round.clientSeed === promise.clientSeed ? null : 'clientSeed';
}

/** Stores the values from before the spin. Reports how the played round differs from them. */
export function rememberPromise(
  roundId: string,
  promise: RoundCommitment,
  round: RoundCommitment,
): BrokenPromise | null {
  const broken = compareWithPromise(promise, round);
  const { commitment, clientSeed, nonce } = promise;
  const entry: Remembered = { promise: { commitment, clientSeed, nonce }, broken };
  const others = readAll().filter(([id]) => id !== roundId);
  localStore.set(storageKey, JSON.stringify([...others, [roundId, entry]].slice(-maxRounds)));
  return broken;
}

/**
 * Returns the values from before the spin, and how the round differs from them. A difference that was seen once stays. Null if the round
 * was not played in this browser, or long ago.
 */
export function findPromise(roundId: string, round: RoundCommitment): Remembered | null {
  const [, entry] = readAll().find(([id]) => id === roundId) ?? [];
  if (!entry) return null;
  const { promise, broken } = entry;
  return { promise, broken: compareWithPromise(promise, round) ?? broken };
}

function readAll(): [id: string, entry: Remembered][] {
  try {
    const saved: unknown = JSON.parse(localStore.get(storageKey) ?? '[]');
    return Array.isArray(saved) ? saved.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (saved: unknown): saved is [string, Remembered] =>
  Array.isArray(saved) &&
  typeof saved[0] === 'string' &&
  typeof (saved[1] as Partial<Remembered> | undefined)?.promise?.commitment === 'string';
