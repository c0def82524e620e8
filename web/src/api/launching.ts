import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { describeError, errorOfThrown } from '../i18n/api-error.ts';
import type { Game } from './catalogue.ts';
import { isSupported, launchPath, lobbyPath } from './launch.ts';
import { recordRecent } from './recents.ts';
import { goWithSession } from './require-login.ts';
import { currentSession } from './session.ts';

/** The one failure that says something about the game itself. */
const gone = 'catalogue.unknown_game';

/** How it is told that a game does not start. */
type Telling = {
  closed: (game: Game) => void;
  notOpen: () => void;
  gone: (why: string) => void;
};

/** Starts a game: by way of the login for a visitor, and not at all where it would only be said that it does not open. */
export function launch(cache: QueryClient, game: Game, tell: Telling): void {
  if (game.maintenance) {
    tell.closed(game);
    return;
  }
  if (!isSupported(game) || (game.notOpen && !lobbyPath(game.vendor))) {
    tell.notOpen();
    return;
  }
  goWithSession(launchPath(game));
  // The launch itself notes what is played; a lobby is no launch.
  if (!currentSession() || !lobbyPath(game.vendor)) return;
  recordRecent(cache, game.nodeId).catch((thrown: unknown) => {
    // That a game could not be noted is of no weight beside playing it; that it is gone is.
    if (errorOfThrown(thrown).code === gone) tell.gone(describeError(thrown));
  });
}

/** As launch, for whoever shows games. The same function for as long as they are shown. */
export function useLaunch(tell: Telling): (game: Game) => void {
  const cache = useQueryClient();
  return useCallback((game: Game) => launch(cache, game, tell), [cache, tell]);
}
