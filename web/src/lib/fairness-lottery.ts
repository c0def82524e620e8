// Recomputes a fast lottery draw from its seed. The arithmetic is the server's (internal/game/lottery/draw).
import type { PublishedSeries } from './fairness-chain.ts';
import { commitmentOf, parseSeed, Stream } from './fairness.ts';

export type FastLottery = 'ssc' | 'k3' | 'pk10' | 'keno';

export type LotteryProof = {
  link: number;
  commitment: string;
  seed: string;
  salt: string;
};

/** A series as the lottery's API returns it. */
type LotterySeries = { end: string; salt: string; saltSource: 'operator' | 'beacon' | 'announced' };

/** How the series of a draw are loaded. */
export type SeriesSource = {
  series: (id: string) => Promise<LotterySeries>;
  /** The series in the list of all series. Returns null for a series of an older version, which is not in the list. */
  publishedSeries: (id: string) => Promise<PublishedSeries | null>;
};

const repeated = async (count: number, draw: () => Promise<number>): Promise<number[]> => {
  const numbers: number[] = [];
  // oxlint-disable-next-line no-await-in-loop -- the numbers of a stream follow each other
  while (numbers.length < count) numbers.push(await draw());
  return numbers;
};

/** Returns 1 to n in random order (Fisher–Yates shuffle, from the last position down to the second). */
async function shuffled(stream: Stream, n: number): Promise<number[]> {
  const numbers = Array.from({ length: n }, (_, at) => at + 1);
  for (let at = n - 1; at > 0; at -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- the numbers of a stream follow each other
    const other = await stream.int(at + 1);
    const kept = numbers[at]!;
    numbers[at] = numbers[other]!;
    numbers[other] = kept;
  }
  return numbers;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** Returns the result of a draw as the server writes it. */
export async function drawnNumbers(
  form: FastLottery,
  gameCode: string,
  { link, seed, salt }: Omit<LotteryProof, 'commitment'>,
): Promise<string | null> {
  const bytes = parseSeed(seed);
  if (!bytes) return null;
  const stream = new Stream(bytes, `${salt}-${gameCode}`, link);
  switch (form) {
    case 'ssc':
      return (await repeated(5, () => stream.int(10))).join(',');
    case 'k3':
      return (await repeated(3, async () => 1 + (await stream.int(6)))).join(',');
    case 'pk10':
      return (await shuffled(stream, 10)).map(two).join(',');
    case 'keno':
      return (await shuffled(stream, 80))
        .slice(0, 20)
        .toSorted((a, b) => a - b)
        .map(two)
        .join(',');
  }
}

/** Reports whether the commitment is the SHA-256 of the seed. */
export async function isCommitted({ seed, commitment }: LotteryProof): Promise<boolean> {
  const bytes = parseSeed(seed);
  return bytes !== null && (await commitmentOf(bytes)) === commitment;
}
