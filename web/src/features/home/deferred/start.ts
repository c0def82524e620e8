import type { QueryClient } from '@tanstack/react-query';

import type { Game } from '../../../api/catalogue.ts';
import { launch } from '../../../api/use-launch.ts';
import { loadScreenMessages } from '../../../i18n/runtime.ts';
import { launchToasts } from '../../../ui/display/launchToasts.ts';

const { closed, notOpen, gone } = launchToasts;

/** Launches a game. Messages wait for their translations, but the launch does not. */
export const start = (cache: QueryClient, game: Game): void =>
  launch(cache, game, {
    closed: (reason) => void loadScreenMessages().then(() => closed(reason)),
    notOpen: () => void loadScreenMessages().then(notOpen),
    gone,
  });
