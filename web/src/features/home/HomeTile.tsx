import { useQueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { launchPath } from '../../api/launch.ts';
import { goWithSession } from '../../api/require-login.ts';
import { screenMessages } from '../../i18n/runtime.ts';
import { Deferred } from '../../ui/Deferred.tsx';
import { Tile } from '../../ui/Tile.tsx';

let corner: Promise<{ default: ComponentType<{ game: Game }> }> | undefined;

/** The star and what else is said about a game, with words of its own: nobody needs it before the games themselves. */
function loadCorner() {
  // Even what is there already takes a while to be found, and there are dozens of tiles.
  corner ??= Promise.all([import('./deferred/TileCorner.tsx'), screenMessages()]).then(
    ([it]) => it,
  );
  corner.catch(() => (corner = undefined));
  return corner;
}

/** A game of home: a tap opens it, for visitors after the login. */
export function HomeTile({ game, eager }: { game: Game; eager: boolean }) {
  const cache = useQueryClient();
  const path = launchPath(game);
  return (
    <Tile
      name={game.name}
      lang={game.language}
      art={game.image}
      vendor={game.vendorName}
      href={path}
      onLaunch={() =>
        // It is there with the corner, which the finger on its way has asked for.
        import('./deferred/TileCorner.tsx').then(
          ({ start }) => start(cache, game),
          () => goWithSession(path),
        )
      }
      eager={eager}
      corner={<Deferred load={loadCorner} props={{ game }} afterInput />}
    />
  );
}
