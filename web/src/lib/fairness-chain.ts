// Checks that a seed belongs to a published series. The arithmetic is the server's (internal/game/fairness/series).
import { parseSeed, toHex } from './fairness.ts';

export type PublishedSeries = {
  kind: string;
  name: string;
  generation: number;
  length: number;
  end: string;
  /** The public value of the salt; empty if the operator chose the start. */
  value: string;
  salt: string;
};

/** A seed of a series: its index, and the client seed that it was used with. `name` is the client seed without its salt. */
export type ChainLink = { seed: string; link: number; clientSeed: string; name: string };

export type SeriesCheck = 'good' | 'wrongEnd' | 'wrongSalt';

/** How many hashes are computed between two reports. */
const chunk = 2000;

/** Hashes a seed `link` times. Returns null if `onProgress` stops it by returning false. */
export async function endOfChain(
  seed: string,
  link: number,
  onProgress: (done: number) => boolean,
): Promise<string | null> {
  let bytes: BufferSource | null = parseSeed(seed);
  if (!bytes) return null;
  for (let done = 0; done < link; done += 1) {
    if (done % chunk === 0 && !onProgress(done)) return null;
    // oxlint-disable-next-line no-await-in-loop -- each hash is the input of the next
    bytes = await crypto.subtle.digest('SHA-256', bytes);
  }
  return toHex(bytes as ArrayBuffer);
}

/** Computes the salt of a series from its other values. */
async function saltOf({ kind, name, generation, end, value }: PublishedSeries): Promise<string> {
  const text = [kind, name, generation, end, value].join(':');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(digest).slice(0, 32);
}

/**
 * Checks that the salt follows from the series and is part of the client seed, and that the seed hashes to the published end.
 * Returns null if `onProgress` stops it by returning false.
 */
export async function checkSeries(
  series: PublishedSeries,
  { seed, link, clientSeed, name }: ChainLink,
  onProgress: (done: number) => boolean,
): Promise<SeriesCheck | null> {
  if (series.salt !== (await saltOf(series)) || clientSeed !== `${series.salt}-${name}`)
    return 'wrongSalt';
  if (link < 1 || link > series.length) return 'wrongEnd';
  const end = await endOfChain(seed, link, onProgress);
  if (end === null) return null;
  return end === series.end ? 'good' : 'wrongEnd';
}
