import type { Game } from './catalogue.ts';
import * as vendorCode from './vendor-codes.gen.ts';

/** Vendors whose games open the lottery lobby, and those that have a lobby of their own in the launcher. */
const lotteryLobby: ReadonlySet<string> = new Set([vendorCode.lottoVietnam, vendorCode.sea]);
const launcherLobby: ReadonlySet<string> = new Set([vendorCode.lottery, vendorCode.fastLottery]);

/** The game that a vendor's lobby counts as. */
export const lobbyGame = 'lobby';

type Launchable = Pick<Game, 'vendor' | 'category' | 'id' | 'nodeId' | 'supportPlay'>;

/** Where a tap on a game leads, with all that the launch of it needs. */
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

/** The lobby that all games of a vendor open, if it has one. */
export function lobbyPath(vendor: string): string | null {
  if (lotteryLobby.has(vendor)) return '/m/lottery';
  return launcherLobby.has(vendor) ? `/m/launchGame?code=${lobbyGame}` : null;
}

/** Whether it is played here at all. A lottery's lobby is a screen of its own. */
export const isSupported = ({ vendor, supportPlay }: Launchable): boolean =>
  supportPlay || lobbyPath(vendor) !== null;
