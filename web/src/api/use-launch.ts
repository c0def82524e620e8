import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { describeError, errorOfThrown } from '../i18n/api-error.ts';
import type { Game } from './catalogue.ts';
import { isSupported, launchPath, lobbyPath } from './launch.ts';
import { keepLotteryTile } from './lottery-tile.ts';
import { recordRecent } from './recents.ts';
import { goWithSession } from './require-login.ts';
import { currentSession } from './session.ts';

const unknownGame = 'catalogue.unknown_game';

/** Shows the member why a game does not start. */
type LaunchFeedback = {
  /** The game's vendor is under maintenance. */
  maintenance: (game: Game) => void;
  /** The game cannot be played here yet. */
  unsupported: () => void;
  /** The game no longer exists. */
  gone: (message: string) => void;
};

/** Opens a game. Visitors log in first. For a game that cannot start, it shows the reason and stays on the screen. */
export function launch(cache: QueryClient, game: Game, feedback: LaunchFeedback): void {
  if (game.maintenance) {
    feedback.maintenance(game);
    return;
  }
  if (!isSupported(game)) {
    feedback.unsupported();
    return;
  }
  if (lobbyPath(game.vendor)) keepLotteryTile(game);
  goWithSession(launchPath(game));
  // The server records each launch. A lobby is not a launch.
  if (!currentSession() || !lobbyPath(game.vendor)) return;
  recordRecent(cache, game.nodeId).catch((thrown: unknown) => {
    // Ignore other failures, because the lobby opens anyway.
    if (errorOfThrown(thrown).code === unknownGame) feedback.gone(describeError(thrown));
  });
}

/** Returns `launch` as a stable function. */
export function useLaunch(feedback: LaunchFeedback): (game: Game) => void {
  const cache = useQueryClient();
  return useCallback((game: Game) => launch(cache, game, feedback), [cache, feedback]);
}
