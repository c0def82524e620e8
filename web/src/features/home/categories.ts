import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** A category of home: its code on the wire, its picture and its name. */
export type Category = { code: string; art: string; name: MessageDescriptor };

export const hot = 'HOT';

/** The categories in the order they are offered; home shows those that have games. */
export const categories: readonly Category[] = [
  { code: hot, art: 'fire', name: msg`Hot` },
  { code: 'FAV', art: 'star', name: msg`Favourites` },
  { code: 'RNG', art: 'slot', name: msg`Slots` },
  { code: 'FISH', art: 'fish', name: msg`Fishing` },
  { code: 'LIVE', art: 'live', name: msg`Live` },
  { code: 'PVP', art: 'cards', name: msg`Card games` },
  { code: 'LOTT', art: 'lottery', name: msg`Lottery` },
  { code: 'ELOTT', art: 'bolt', name: msg`Fast lottery` },
  { code: 'SPORTS', art: 'ball', name: msg`Sports` },
  { code: 'ESPORTS', art: 'gamepad', name: msg`Esports` },
];
