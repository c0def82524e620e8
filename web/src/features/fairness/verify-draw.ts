// Verifies a jackpot draw from its published values, without a request.
import type { Draw } from '../../api/pool.ts';
import { commitmentOf, parseSeed, Stream, toHex } from '../../lib/fairness.ts';

export type DrawCheck = {
  /** Whether the seed hashes to the published commitment. */
  commitmentMatches: boolean;
  block: string;
  number: number;
  /** The stake wins when its number is below this. */
  below: number;
  won: boolean;
  /** Whether the server reported the same result. */
  matchesReport: boolean;
};

export async function verifyDraw(
  draw: Draw,
  seedText: string,
  decimals: number,
): Promise<DrawCheck> {
  const seed = parseSeed(seedText);
  if (!seed) throw new Error('invalid seed');
  const commitmentMatches = (await commitmentOf(seed)) === draw.commitment;
  const stream = new Stream(seed, draw.clientSeed, draw.nonce);
  const number = await stream.int(draw.parts);
  const minor = (amount: number) => Math.round(amount * 10 ** decimals);
  const below = Math.min(Math.floor(minor(draw.stake) / minor(draw.unit)), draw.parts);
  const won = number < below;
  const matchesReport =
    number === draw.number && below === draw.below && won === (draw.won !== null);
  return {
    commitmentMatches,
    block: toHex(await stream.block(0)),
    number,
    below,
    won,
    matchesReport,
  };
}
