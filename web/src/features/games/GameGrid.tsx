import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { useStars } from '../../api/favourites.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { starToasts } from '../../ui/display/starToasts.ts';
import { InfiniteGrid } from '../../ui/InfiniteGrid.tsx';
import { TileSkeleton } from '../../ui/Tile.tsx';
import { captionHeight, TileCardSkeleton } from '../../ui/TileCard.tsx';
import { GameTile } from './GameTile.tsx';
import type { Games } from './useGames.ts';

export type GameGridProps = {
  label: string;
  games: Games;
  columns: number;
  /** How wide a tile is, where that is not as in three columns. */
  sizes?: string;
  /** In place of the list when it is empty. */
  empty: ReactNode;
  hotMark?: boolean;
  /** As home shows games: nothing is said about them but their names and whose they are. */
  asHome?: boolean;
  /** With the names under the pictures, and in them marked what was searched for. */
  searched?: string | undefined;
};

/** Rows of tiles that are on the screen at once, and so come before other pictures. */
const firstRows = 2;

/** A growing list of games, with all its states. */
export function GameGrid(props: GameGridProps) {
  const { label, games, columns, sizes, empty, hotMark = true, asHome = false, searched } = props;
  const { items, total, error } = games;
  const { t } = useLingui();
  const favourites = useStars(starToasts);
  const launch = useLaunch(launchToasts);
  const captioned = searched !== undefined;
  const shown = items.length;
  const reason =
    shown > 0 && total ? t`${shown} of ${total} games are here` : error && describeError(error);

  return (
    <InfiniteGrid
      label={label}
      items={items}
      keyOf={(game) => game.nodeId}
      renderItem={(game, index, near) => (
        <GameTile
          game={game}
          starred={favourites.ids.has(game.nodeId)}
          busy={favourites.busy.has(game.nodeId)}
          onStar={favourites.star}
          onLaunch={launch}
          near={near}
          eager={index < columns * firstRows}
          sizes={sizes}
          hotMark={hotMark}
          asHome={asHome}
          searched={searched}
        />
      )}
      columns={columns}
      loading={games.loading}
      failed={error !== null}
      failedDetail={reason ?? undefined}
      answered={error !== null && wasAnswered(error)}
      hasMore={games.hasMore}
      onLoadMore={games.loadMore}
      empty={empty}
      renderSkeleton={() => (captioned ? <TileCardSkeleton /> : <TileSkeleton />)}
      below={captioned ? captionHeight : '0px'}
    />
  );
}
