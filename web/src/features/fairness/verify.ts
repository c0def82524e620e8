// Verifies a round from its published values, without a request.
import type { RoundProof } from '../../api/fairness.ts';
import type { Machine, Outcome } from '../../lib/fairness-machine.ts';
import { payout, playRound } from '../../lib/fairness-slot.ts';
import { bring, deal, type Dealt, type TableSpot } from '../../lib/fairness-table.ts';
import { commitmentOf, isClientSeed, parseSeed, Stream, toHex } from '../../lib/fairness.ts';
import { hexOf, type Values } from './values.ts';

export type InvalidField = 'commitment' | 'seed' | 'clientSeed' | 'nonce';

export type Verdict = {
  digest: string;
  /** Whether the seed hashes to the published commitment. */
  commitmentMatches: boolean;
  block: string;
  /** The spins of a slot round; null for a table round. */
  outcome: Outcome | null;
  /** The result of a table round; null for a slot round. */
  dealt: Dealt | null;
  /** Whether the played round has the same result and payout; null if no round was given. */
  matchesRound: boolean | null;
};

export function invalidFields({ commitment, seed, clientSeed, nonce }: Values): InvalidField[] {
  const invalid: InvalidField[] = [];
  if (!parseSeed(hexOf(commitment))) invalid.push('commitment');
  if (!parseSeed(hexOf(seed))) invalid.push('seed');
  if (!isClientSeed(clientSeed)) invalid.push('clientSeed');
  if (!/^[1-9]\d{0,14}$/.test(nonce.trim())) invalid.push('nonce');
  return invalid;
}

/** Recomputes a slot round. The values must be valid. */
export async function verify(
  machine: Machine,
  values: Values,
  round: RoundProof | undefined,
  decimals: number,
): Promise<Verdict> {
  const seed = parseSeed(hexOf(values.seed));
  if (!seed) throw new Error('invalid seed');
  const digest = await commitmentOf(seed);
  const stream = new Stream(seed, values.clientSeed, Number(values.nonce));
  const outcome = await playRound(machine, (below) => stream.int(below));
  return {
    digest,
    commitmentMatches: digest === hexOf(values.commitment),
    block: toHex(await stream.block(0)),
    outcome,
    dealt: null,
    matchesRound: round ? isSame(machine, outcome, round, decimals) : null,
  };
}

/** Recomputes a table round and the payout of a ticket in it. The values must be valid. */
export async function verifyTable(
  engine: string,
  values: Values,
  ticket: { spots: readonly TableSpot[]; round: RoundProof; decimals: number } | null,
): Promise<Verdict> {
  const seed = parseSeed(hexOf(values.seed));
  if (!seed) throw new Error('invalid seed');
  const digest = await commitmentOf(seed);
  const stream = new Stream(seed, values.clientSeed, Number(values.nonce));
  const dealt = await deal(engine, stream);
  return {
    digest,
    commitmentMatches: digest === hexOf(values.commitment),
    block: toHex(await stream.block(0)),
    outcome: null,
    dealt,
    matchesRound:
      ticket &&
      dealt !== null &&
      isPaidCorrectly(dealt, ticket.spots, ticket.round, ticket.decimals),
  };
}

export function resultsOf({ outcome, dealt }: Verdict): string[] {
  if (dealt) {
    const { engine: _, ...result } = dealt;
    return [`dealt: ${JSON.stringify(result)}`];
  }
  return outcome?.spins.map(({ stops }) => `stops: ${stops.join(' ')}`) ?? [];
}

/** Reports whether the ticket shows the dealt result and each spot was paid by it. */
function isPaidCorrectly(
  dealt: Dealt,
  spots: readonly TableSpot[],
  { ticket, win }: RoundProof,
  decimals: number,
): boolean {
  const { engine: _, ...result } = dealt;
  if (!ticket || sorted(result) !== sorted(ticket.result)) return false;
  let sum = 0n;
  for (const { id, stake, win: paid } of ticket.spots) {
    const spot = spots.find((one) => one.id === id);
    if (!spot) return false;
    const payoutOfSpot = bring(dealt, spot, minor(stake, decimals));
    if (payoutOfSpot !== minor(paid, decimals)) return false;
    sum += payoutOfSpot;
  }
  return sum === minor(win, decimals);
}

/** Formats a result with sorted keys, for comparison. */
const sorted = (result: unknown): string =>
  JSON.stringify(result, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

function isSame(machine: Machine, outcome: Outcome, round: RoundProof, decimals: number): boolean {
  const played = round.outcome?.spins.map(({ stops }) => stops.join());
  const won = payout(machine, outcome, minor(round.stake, decimals));
  return (
    played?.join(';') === outcome.spins.map(({ stops }) => stops.join()).join(';') &&
    won === minor(round.win, decimals)
  );
}

const minor = (amount: number, decimals: number) => BigInt(Math.round(amount * 10 ** decimals));
