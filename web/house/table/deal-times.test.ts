// @vitest-environment jsdom
import { expect, test } from 'vitest';

import tables from '../../../internal/game/house/table/tables.json';
import { engine as baccarat } from './baccarat.ts';
import { tableEngine } from './engines.ts';

const cards = (player: number, banker: number) => ({
  player: Array.from({ length: player }, () => '2S'),
  banker: Array.from({ length: banker }, () => '3H'),
});

/** Baccarat draws up to two more cards. Each other game takes the same time in every round. */
const { baccarat: phasesOfBaccarat, ...fixedPhases } = tables.phases;

/** The server settles this long before the frame shows the result, so that the payment has arrived by then. */
const [atLeast, atMost] = [200, 400];

test.each([
  ['baccarat', 'four cards', phasesOfBaccarat.dealMs, baccarat.dealMs(cards(2, 2))],
  [
    'baccarat',
    'five cards',
    phasesOfBaccarat.dealMs + phasesOfBaccarat.drawMs,
    baccarat.dealMs(cards(3, 2)),
  ],
  [
    'baccarat',
    'five cards of the banker',
    phasesOfBaccarat.dealMs + phasesOfBaccarat.drawMs,
    baccarat.dealMs(cards(2, 3)),
  ],
  [
    'baccarat',
    'six cards',
    phasesOfBaccarat.dealMs + 2 * phasesOfBaccarat.drawMs,
    baccarat.dealMs(cards(3, 3)),
  ],
])('%s with %s is paid as the result lands', (_, __, server, frame) => {
  expect(frame - server).toBeGreaterThanOrEqual(atLeast);
  expect(frame - server).toBeLessThanOrEqual(atMost);
});

test.each(Object.entries(fixedPhases))(
  '%s is paid as the result lands',
  async (name, { dealMs }) => {
    const { engine } = await tableEngine(name)!();
    expect(engine.dealMs(null) - dealMs).toBeGreaterThanOrEqual(atLeast);
    expect(engine.dealMs(null) - dealMs).toBeLessThanOrEqual(atMost);
  },
);
