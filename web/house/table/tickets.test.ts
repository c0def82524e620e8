// @vitest-environment jsdom
import { expect, test } from 'vitest';

import rounds from '../../../internal/game/house/testdata/tables.vectors.json';
import { parseSeed, Stream } from '../../src/lib/fairness.ts';
import { hasResult } from './tickets.ts';

test.each(rounds.map((one) => [`${one.engine} ${one.nonce}`, one] as const))(
  'PP-17 (client) %s is recomputed from its seed',
  async (_, { engine, seed, clientSeed, nonce, result }) => {
    const stream = () => new Stream(parseSeed(seed)!, clientSeed, nonce);
    expect(await hasResult(stream(), engine, result)).toBe(true);
    expect(await hasResult(stream(), engine, { ...result, winner: 'other' })).toBe(false);
  },
);
