// @vitest-environment jsdom
import { expect, test } from 'vitest';

import tables from '../../../internal/game/house/table/tables.json';
import { engine as baccarat } from './baccarat.ts';
import { engine as dragontiger } from './dragontiger.ts';
import { engine as roulette } from './roulette.ts';
import { engine as sicbo } from './sicbo.ts';

const cards = (player: number, banker: number) => ({
  player: Array.from({ length: player }, () => '2S'),
  banker: Array.from({ length: banker }, () => '3H'),
});

const { phases } = tables;

/** The server settles this long before the frame shows the result, so that the payment has arrived by then. */
const [atLeast, atMost] = [200, 400];

test.each([
  ['baccarat', 'four cards', phases.baccarat.dealMs, baccarat.dealMs(cards(2, 2))],
  [
    'baccarat',
    'five cards',
    phases.baccarat.dealMs + phases.baccarat.drawMs,
    baccarat.dealMs(cards(3, 2)),
  ],
  [
    'baccarat',
    'five cards of the banker',
    phases.baccarat.dealMs + phases.baccarat.drawMs,
    baccarat.dealMs(cards(2, 3)),
  ],
  [
    'baccarat',
    'six cards',
    phases.baccarat.dealMs + 2 * phases.baccarat.drawMs,
    baccarat.dealMs(cards(3, 3)),
  ],
  ['sic bo', 'three dice', phases.sicbo.dealMs, sicbo.dealMs(null)],
  ['dragon and tiger', 'two cards', phases.dragontiger.dealMs, dragontiger.dealMs(null)],
  ['roulette', 'a ball', phases.roulette.dealMs, roulette.dealMs(null)],
])('%s with %s is paid as the result lands', (_, __, server, frame) => {
  expect(frame - server).toBeGreaterThanOrEqual(atLeast);
  expect(frame - server).toBeLessThanOrEqual(atMost);
});
