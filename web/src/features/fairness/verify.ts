// The check itself. It runs here, on the reader's own device, and asks nobody.
import type { RoundProof } from '../../api/fairness.ts';
import type { Machine, Outcome } from '../../lib/fairness-machine.ts';
import { payout, playRound } from '../../lib/fairness-slot.ts';
import { bring, deal, type Dealt, type TableSpot } from '../../lib/fairness-table.ts';
import { commitmentOf, isClientSeed, parseSeed, Stream, toHex } from '../../lib/fairness.ts';
import { hexOf, type Values } from './values.ts';

/** What is missing or cannot be read. */
export type Unread = 'commitment' | 'seed' | 'clientSeed' | 'nonce';

export type Verdict = {
  /** SHA-256 of the seed. */
  digest: string;
  /** The seed is the one that was committed to. */
  kept: boolean;
  /** The first block of the stream. */
  block: string;
  /** Of reels; null for a table's round. */
  outcome: Outcome | null;
  /** What lay on the table; null for reels. */
  dealt: Dealt | null;
  /** Whether the round that was played shows the same stops and paid the same; null where none was named. */
  same: boolean | null;
};

export function unreadIn({ commitment, seed, clientSeed, nonce }: Values): Unread[] {
  const wrong: Unread[] = [];
  if (!parseSeed(hexOf(commitment))) wrong.push('commitment');
  if (!parseSeed(hexOf(seed))) wrong.push('seed');
  if (!isClientSeed(clientSeed)) wrong.push('clientSeed');
  if (!/^[1-9]\d{0,14}$/.test(nonce.trim())) wrong.push('nonce');
  return wrong;
}

/** Works everything out again. The values must be readable. */
export async function verify(
  machine: Machine,
  values: Values,
  round: RoundProof | undefined,
  decimals: number,
): Promise<Verdict> {
  const seed = parseSeed(hexOf(values.seed));
  if (!seed) throw new Error('the seed is no seed');
  const digest = await commitmentOf(seed);
  const stream = new Stream(seed, values.clientSeed, Number(values.nonce));
  const outcome = await playRound(machine, (below) => stream.int(below));
  return {
    digest,
    kept: digest === hexOf(values.commitment),
    block: toHex(await stream.block(0)),
    outcome,
    dealt: null,
    same: round ? isSame(machine, outcome, round, decimals) : null,
  };
}

/** The same for a table's round, and for what a ticket in it brought. */
export async function verifyTable(
  engine: string,
  values: Values,
  ticket: { spots: readonly TableSpot[]; round: RoundProof; decimals: number } | null,
): Promise<Verdict> {
  const seed = parseSeed(hexOf(values.seed));
  if (!seed) throw new Error('the seed is no seed');
  const digest = await commitmentOf(seed);
  const stream = new Stream(seed, values.clientSeed, Number(values.nonce));
  const dealt = await deal(engine, stream);
  return {
    digest,
    kept: digest === hexOf(values.commitment),
    block: toHex(await stream.block(0)),
    outcome: null,
    dealt,
    same: ticket && dealt !== null && isPaid(dealt, ticket.spots, ticket.round, ticket.decimals),
  };
}

/** What came of it, line by line, as text. */
export function resultsOf({ outcome, dealt }: Verdict): string[] {
  if (dealt) {
    const { engine: _, ...result } = dealt;
    return [`dealt: ${JSON.stringify(result)}`];
  }
  return outcome?.spins.map(({ stops }) => `stops: ${stops.join(' ')}`) ?? [];
}

/** The round shows what was dealt, and each spot was paid by it. */
function isPaid(
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
    const brought = bring(dealt, spot, minor(stake, decimals));
    if (brought !== minor(paid, decimals)) return false;
    sum += brought;
  }
  return sum === minor(win, decimals);
}

/** A result in one way of writing it, whatever the order of its parts. */
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
