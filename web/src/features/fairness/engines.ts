// What the House's rounds are drawn by: each can be worked out again here.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

type Engine = { name: string; words: MessageDescriptor; table: boolean };

export const engines = [
  { name: 'slot', words: msg`Slot with lines`, table: false },
  { name: 'ways', words: msg`Slot with ways`, table: false },
  { name: 'cascade', words: msg`Slot with falling symbols`, table: false },
  { name: 'baccarat', words: msg`Baccarat`, table: true },
  { name: 'sicbo', words: msg`Sic bo`, table: true },
  { name: 'dragontiger', words: msg`Dragon Tiger`, table: true },
  { name: 'roulette', words: msg`Roulette`, table: true },
] as const satisfies readonly Engine[];

export type EngineName = (typeof engines)[number]['name'];

/** A table's rounds are everybody's: its name stands where a player's own seed does elsewhere. */
export const isTable = (engine: string): boolean =>
  engines.some(({ name, table }) => table && name === engine);
