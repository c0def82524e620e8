// @vitest-environment jsdom
import { expect, test } from 'vitest';

import { parseSeed, Stream } from '../../src/lib/fairness.ts';
import { hasStops } from './history.ts';
import { aSpin } from './testing.ts';

test('PP-17 (client) a slot round is recomputed reel by reel', async () => {
  const strips = Array.from({ length: 5 }, () => Array.from({ length: 40 }, () => 'A'));
  const stream = () => new Stream(parseSeed('cd'.repeat(32))!, 'own', 1);
  const draw = stream();
  const spins = [];
  for (let spin = 0; spin < 2; spin += 1) {
    const stops: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- the numbers of one stream
    for (const strip of strips) stops.push(await draw.int(strip.length));
    spins.push(aSpin({ stops }));
  }
  expect(await hasStops(stream(), { spins }, strips)).toBe(true);
  expect(await hasStops(stream(), { spins: spins.toReversed() }, strips)).toBe(false);
  expect(await hasStops(stream(), { spins: [] }, strips)).toBe(false);
});
