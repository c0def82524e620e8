// All tiles of the lottery open the same URLs (GL-01, GL-02). This module remembers the tapped tile, so that its game opens.
import { entryKey } from '../lib/layers.ts';
import { sessionStore } from '../lib/storage.ts';
import type { Game } from './catalogue.ts';

/** A tile of the lottery. The server knows its game. */
export type LotteryTile = {
  vendor: string;
  gameCategory: string;
  gameId: string;
  nodeId: string;
  name: string;
};

const key = 'lotteryTile';

export const keepLotteryTile = ({ vendor, category, id, nodeId, name }: Game): void =>
  sessionStore.set(
    key,
    JSON.stringify({
      vendor,
      gameCategory: category,
      gameId: id,
      nodeId,
      name,
    } satisfies LotteryTile),
  );

/** Returns the tile that opened the current history entry, also after a reload. Returns none for other entries. */
export function lotteryTile(): LotteryTile | null {
  const stored = sessionStore.get(key);
  if (stored === null) return null;
  const { entry = entryKey(), ...tile } = JSON.parse(stored) as LotteryTile & { entry?: string };
  if (entry !== entryKey()) {
    sessionStore.remove(key);
    return null;
  }
  sessionStore.set(key, JSON.stringify({ ...tile, entry }));
  return tile;
}
