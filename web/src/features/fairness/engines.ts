import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

type Engine = { name: string; label: MessageDescriptor; table: boolean };

export const engines = [
  { name: 'slot', label: msg`Slot with lines`, table: false },
  { name: 'ways', label: msg`Slot with ways`, table: false },
  { name: 'cascade', label: msg`Slot with falling symbols`, table: false },
  { name: 'baccarat', label: msg`Baccarat`, table: true },
  { name: 'sicbo', label: msg`Sic bo`, table: true },
  { name: 'dragontiger', label: msg`Dragon Tiger`, table: true },
  { name: 'roulette', label: msg`Roulette`, table: true },
] as const satisfies readonly Engine[];

export type EngineName = (typeof engines)[number]['name'];

/** Reports whether the game is a table game. Its rounds use the table's name as the client seed. */
export const isTable = (engine: string): boolean =>
  engines.some(({ name, table }) => table && name === engine);
