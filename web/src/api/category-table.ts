import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

import * as categoryCode from './categories.gen.ts';

export type Category = { code: string; art: string; name: MessageDescriptor };

/** The categories in display order. */
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

/** Reports whether a game belongs to a category. JL is also a vendor, whose games form a category. */
export const isInCategory = (game: { category: string; vendor: string }, code: string): boolean =>
  code === categoryCode.all ||
  game.category === code ||
  (code === categoryCode.jl && game.vendor === code);
