import { expect, test } from 'vitest';

import baccarat from '../../../internal/game/house/baccarat/baccarat.json';
import dragontiger from '../../../internal/game/house/dragontiger/dragontiger.json';
import roulette from '../../../internal/game/house/roulette/roulette.json';
import sicbo from '../../../internal/game/house/sicbo/sicbo.json';
import vectors from '../../../internal/game/house/testdata/tables.vectors.json';
import { bring, deal, type TableSpot } from './fairness-table.ts';
import { parseSeed, Stream } from './fairness.ts';

const spots: Record<string, readonly TableSpot[]> = {
  baccarat: baccarat.spots,
  dragontiger: dragontiger.spots,
  roulette: roulette.spots,
  sicbo: sicbo.spots,
};

test.each(vectors.map((vector) => [`${vector.engine} ${vector.nonce}`, vector] as const))(
  'PP-17 the browser deals the server’s result: %s',
  async (_, { engine, seed, clientSeed, nonce, result, pays }) => {
    const bytes = parseSeed(seed);
    if (!bytes) throw new Error('invalid seed');
    const dealt = await deal(engine, new Stream(bytes, clientSeed, nonce));
    expect(dealt).toEqual({ engine, ...result });
    if (!dealt) return;
    const payouts: Record<string, number> = {};
    for (const spot of spots[engine] ?? []) {
      const paid = Number(bring(dealt, spot, 1001n));
      if (paid > 0) payouts[spot.id] = paid;
    }
    expect(payouts).toEqual(pays);
  },
);

test('an engine without a table deals nothing', async () => {
  expect(await deal('slot', { int: () => Promise.resolve(0) })).toBeNull();
});
