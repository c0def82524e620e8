import type { Game } from './catalogue.ts';
import * as vendorCode from './vendor-codes.gen.ts';

/** Vendors whose games open the lottery lobby, and vendors with a lobby in the launcher. */
const lotteryLobby: ReadonlySet<string> = new Set([vendorCode.lottoVietnam, vendorCode.sea]);
const launcherLobby: ReadonlySet<string> = new Set([vendorCode.lottery, vendorCode.fastLottery]);

export const lobbyGame = 'lobby';

type Launchable = Pick<Game, 'vendor' | 'category' | 'id' | 'nodeId' | 'supportPlay'>;

export function launchPath(game: Launchable): string {
  const lobby = lobbyPath(game.vendor);
  if (lobby) return lobby;
  const query = new URLSearchParams({
    vendor: game.vendor,
    gameCategory: game.category,
    gameId: game.id,
    nodeId: game.nodeId,
    supportPlay: String(game.supportPlay),
  });
  return `/m/launchGame?${query.toString()}`;
}

/** Returns the lobby that all games of a vendor open, or null. */
export function lobbyPath(vendor: string): string | null {
  if (lotteryLobby.has(vendor)) return '/m/lottery';
  return launcherLobby.has(vendor) ? `/m/launchGame?code=${lobbyGame}` : null;
}

/** Reports whether the app can open the game or its lobby. */
export const isSupported = (game: Pick<Game, 'vendor' | 'supportPlay' | 'notOpen'>): boolean =>
  (game.supportPlay && !game.notOpen) || lobbyPath(game.vendor) !== null;
