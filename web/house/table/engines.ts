// The table games by engine name. Each game loads on demand.
import type { Engine } from './engine.ts';

type LoadEngine = () => Promise<{ engine: Engine }>;

const engines: Readonly<Record<string, LoadEngine>> = {
  baccarat: () => import('./baccarat.ts'),
  dragontiger: () => import('./dragontiger.ts'),
  roulette: () => import('./roulette.ts'),
  sicbo: () => import('./sicbo.ts'),
};

/** Returns the loader of a table engine, or undefined when the engine is a slot. */
export const tableEngine = (name: string): LoadEngine | undefined =>
  Object.hasOwn(engines, name) ? engines[name] : undefined;
