import { useQueryClient } from '@tanstack/react-query';
import { memo, type ComponentType } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { launchPath } from '../../api/launch.ts';
import { goWithSession } from '../../api/require-login.ts';
import { loadScreenMessages } from '../../i18n/runtime.ts';
import { Deferred } from '../../ui/Deferred.tsx';
import { Tile } from '../../ui/Tile.tsx';

let corner: Promise<{ default: ComponentType<{ game: Game }> }> | undefined;

/** Loads the star and the status label after the games. */
function loadCorner() {
  // Shared by all tiles: even a cached import takes time.
  corner ??= Promise.all([import('./deferred/TileCorner.tsx'), loadScreenMessages()]).then(
    ([module]) => module,
  );
  corner.catch(() => (corner = undefined));
  return corner;
}

type HomeTileProps = { game: Game; eager: boolean };

/** Memoised, because home renders again while it loads. */
export const HomeTile = memo(function HomeTile({ game, eager }: HomeTileProps) {
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
        // Usually loaded already: touching the tile loads the corner.
        import('./deferred/TileCorner.tsx').then(
          ({ start }) => start(cache, game),
          () => goWithSession(path),
        )
      }
      eager={eager}
      corner={<Deferred load={loadCorner} props={{ game }} afterInput />}
    />
  );
});
