// The player's saved selections, and the last order of a game.
import type { Ticket } from './cart.ts';
import { playerStore } from './player-store.ts';

export type SavedNumbers = { playCode: string; selection: string };

const savedKey = (gameId: string): string => `saved.${gameId}`;
const lastKey = (gameId: string): string => `last.${gameId}`;
const maxSaved = 20;

function read<T>(key: string): T[] {
  try {
    const stored: unknown = JSON.parse(playerStore.get(key) ?? '[]');
    return Array.isArray(stored) ? (stored as T[]) : [];
  } catch {
    return [];
  }
}

export const savedNumbers = (gameId: string): SavedNumbers[] => read(savedKey(gameId));

/** Saves a selection, and returns all saved ones, newest first. */
export function saveNumbers(gameId: string, numbers: SavedNumbers): SavedNumbers[] {
  const others = savedNumbers(gameId).filter(
    ({ playCode, selection }) => playCode !== numbers.playCode || selection !== numbers.selection,
  );
  const next = [numbers, ...others].slice(0, maxSaved);
  playerStore.set(savedKey(gameId), JSON.stringify(next));
  return next;
}

export function forgetNumbers(gameId: string, index: number): SavedNumbers[] {
  const next = savedNumbers(gameId).toSpliced(index, 1);
  playerStore.set(savedKey(gameId), JSON.stringify(next));
  return next;
}

export type LastTicket = Omit<Ticket, 'id' | 'odds'>;

export const lastOrder = (gameId: string): LastTicket[] => read(lastKey(gameId));

export function saveLastOrder(gameId: string, tickets: readonly Ticket[]): void {
  const stored = tickets.map(
    ({ playCode, playType, selection, lines, prizes, stake, multiple }): LastTicket => ({
      playCode,
      playType,
      selection,
      lines,
      prizes,
      stake,
      multiple,
    }),
  );
  playerStore.set(lastKey(gameId), JSON.stringify(stored));
}
