import type { QueryClient } from '@tanstack/react-query';

import type { Game } from '../../../api/catalogue.ts';
import { launch } from '../../../api/use-launch.ts';
import { screenMessages } from '../../../i18n/runtime.ts';
import { launchToasts } from '../../../ui/display/launchToasts.ts';

const { closed, notOpen, gone } = launchToasts;

/** Starts a game of home's tiles. What has to be said of it waits for its words, the game does not. */
export const start = (cache: QueryClient, game: Game): void =>
  launch(cache, game, {
    closed: (it) => void screenMessages().then(() => closed(it)),
    notOpen: () => void screenMessages().then(notOpen),
    gone,
  });
