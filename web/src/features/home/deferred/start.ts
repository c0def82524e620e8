import type { QueryClient } from '@tanstack/react-query';

import type { Game } from '../../../api/catalogue.ts';
import { launch } from '../../../api/use-launch.ts';
import { loadScreenMessages } from '../../../i18n/runtime.ts';
import { launchToasts } from '../../../ui/display/launchToasts.ts';

const { maintenance, unsupported, gone } = launchToasts;

/** Launches a game. Messages wait for their translations, but the launch does not. */
export const start = (cache: QueryClient, game: Game): void =>
  launch(cache, game, {
    maintenance: (game) => void loadScreenMessages().then(() => maintenance(game)),
    unsupported: () => void loadScreenMessages().then(unsupported),
    gone,
  });
