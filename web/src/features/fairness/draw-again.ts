// A jackpot's draw from what was published. It runs here, on the reader's own device, and asks nobody.
import type { Draw } from '../../api/pool.ts';
import { commitmentOf, parseSeed, Stream, toHex } from '../../lib/fairness.ts';

export type DrawnAgain = {
  /** The seed is the one that was committed to. */
  kept: boolean;
  /** The first block of the stream. */
  block: string;
  number: number;
  /** The stake's parts: it wins when the number is below. */
  below: number;
  won: boolean;
  /** The server told the same. */
  same: boolean;
};

export async function drawAgain(
  draw: Draw,
  seedText: string,
  decimals: number,
): Promise<DrawnAgain> {
  const seed = parseSeed(seedText);
  if (!seed) throw new Error('the seed is no seed');
  const kept = (await commitmentOf(seed)) === draw.commitment;
  const stream = new Stream(seed, draw.clientSeed, draw.nonce);
  const number = await stream.int(draw.parts);
  const minor = (amount: number) => Math.round(amount * 10 ** decimals);
  const below = Math.min(Math.floor(minor(draw.stake) / minor(draw.unit)), draw.parts);
  const won = number < below;
  const same = number === draw.number && below === draw.below && won === (draw.won !== null);
  return { kept, block: toHex(await stream.block(0)), number, below, won, same };
}
