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
  /** The tiles' image sizes; the default is for three columns. */
  sizes?: string;
  /** Shown when the list is empty. */
  empty: ReactNode;
  showHotMark?: boolean;
  /** Hides "new" and "hot". */
  hideMarks?: boolean;
  /** The search text. Shows names under the pictures, with matches marked. */
  searched?: string | undefined;
};

/** Rows that are visible at once. Their pictures load first. */
const eagerRows = 2;

export function GameGrid(props: GameGridProps) {
  const {
    label,
    games,
    columns,
    sizes,
    empty,
    showHotMark = true,
    hideMarks = false,
    searched,
  } = props;
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
      renderItem={(game, index, isNearViewport) => (
        <GameTile
          game={game}
          starred={favourites.ids.has(game.nodeId)}
          busy={favourites.busy.has(game.nodeId)}
          onStar={favourites.star}
          onLaunch={launch}
          isNearViewport={isNearViewport}
          eager={index < columns * eagerRows}
          sizes={sizes}
          showHotMark={showHotMark}
          hideMarks={hideMarks}
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
