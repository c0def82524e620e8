/** Finds a scene by its name in the catalogue. */
import { landScenes } from './land.ts';
import { openScenes, type Scene } from './open.ts';
import { playScenes } from './play.ts';
import { seaScenes } from './sea.ts';

const SCENES: Record<string, Scene> = { ...openScenes, ...landScenes, ...seaScenes, ...playScenes };

export function scene(name: string): Scene {
  const found = SCENES[name];
  if (!found) throw new Error(`unknown scene ${name}`);
  return found;
}
