import type { Game } from '../../api/catalogue.ts';

/** Vendors whose games open the lottery lobby, and those that have a lobby of their own in the launcher. */
const lotteryLobby: ReadonlySet<string> = new Set(['TCG_LOTTO_VN', 'TCG_SEA']);
const launcherLobby: ReadonlySet<string> = new Set(['LOTT', 'ELOTT']);

/** Where a tap on a game leads. */
export function launchPath(game: Game): string {
  if (lotteryLobby.has(game.vendor)) return '/m/lottery';
  if (launcherLobby.has(game.vendor)) return '/m/launchGame?code=lobby';
  const query = new URLSearchParams({
    vendor: game.vendor,
    gameCategory: game.category,
    gameId: game.id,
    nodeId: game.nodeId,
  });
  return `/m/launchGame?${query.toString()}`;
}
