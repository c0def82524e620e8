import { expect, test } from 'vitest';

import vectors from '../../../internal/game/house/testdata/tables.vectors.json';
import { bring, deal, type TableSpot } from './fairness-table.ts';
import { parseSeed, Stream } from './fairness.ts';

/** The rules of each engine, from `<engine>/<engine>.json`. */
const rules = import.meta.glob<{ spots: readonly TableSpot[] }>(
  '../../../internal/game/house/*/*.json',
  { eager: true, import: 'default' },
);
const spotsOf = (engine: string) =>
  rules[`../../../internal/game/house/${engine}/${engine}.json`]?.spots ?? [];

test.each(vectors.map((vector) => [`${vector.engine} ${vector.nonce}`, vector] as const))(
  'PP-17 the browser deals the server’s result: %s',
  async (_, { engine, seed, clientSeed, nonce, result, pays }) => {
    const bytes = parseSeed(seed);
    if (!bytes) throw new Error('invalid seed');
    const dealt = await deal(engine, new Stream(bytes, clientSeed, nonce));
    expect(dealt).toEqual({ engine, ...result });
    if (!dealt) return;
    const payouts: Record<string, number> = {};
    for (const spot of spotsOf(engine)) {
      const paid = Number(bring(dealt, spot, 1001n));
      if (paid > 0) payouts[spot.id] = paid;
    }
    expect(payouts).toEqual(pays);
  },
);

test('an engine without a table deals nothing', async () => {
  expect(await deal('slot', { int: () => Promise.resolve(0) })).toBeNull();
});
