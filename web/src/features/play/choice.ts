import { lobbyGame } from '../../api/launch.ts';
import type { GameChoice } from '../../api/play.ts';

/** Reads the game from the address. 'lobby' is a lobby that launches like a game; null is not a game. */
export function readChoice(query: URLSearchParams): GameChoice | 'lobby' | null {
  if (query.get('code') === lobbyGame) return 'lobby';
  const part = (name: string) => (query.get(name) ?? '').trim();
  const choice = {
    gameCategory: part('gameCategory'),
    vendor: part('vendor'),
    gameId: part('gameId'),
    nodeId: part('nodeId'),
    supportPlay: part('supportPlay') === 'true',
  };
  return choice.vendor && choice.gameId ? choice : null;
}
