import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import * as categoryCode from './categories.gen.ts';

/** How a category is shown: its code on the wire, its picture and its name. */
export type Category = { code: string; art: string; name: MessageDescriptor };

/** The categories in the order in which they are offered, wherever they are. */
export const categories: readonly Category[] = [
  { code: categoryCode.hot, art: 'fire', name: msg`Hot` },
  { code: categoryCode.favourites, art: 'star', name: msg`Favourites` },
  { code: categoryCode.jl, art: 'diamond', name: msg`JL` },
  { code: categoryCode.slots, art: 'slot', name: msg`Slots` },
  { code: categoryCode.fishing, art: 'fish', name: msg`Fishing` },
  { code: categoryCode.live, art: 'live', name: msg`Live` },
  { code: categoryCode.cards, art: 'cards', name: msg`Card games` },
  { code: categoryCode.sports, art: 'ball', name: msg`Sports` },
  { code: categoryCode.esports, art: 'gamepad', name: msg`Esports` },
  { code: categoryCode.lottery, art: 'lottery', name: msg`Lottery` },
  { code: categoryCode.fastLottery, art: 'bolt', name: msg`Fast lottery` },
];

/** Whether a game is of a category, or of all of them. JL is a vendor as well, whose games are offered as a category. */
export const isOf = (game: { category: string; vendor: string }, code: string): boolean =>
  code === categoryCode.all ||
  game.category === code ||
  (code === categoryCode.jl && game.vendor === code);
