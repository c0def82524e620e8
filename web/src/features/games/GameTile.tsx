import { useLingui } from '@lingui/react/macro';
import { memo } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { isSupported, launchPath } from '../../api/launch.ts';
import { StarButton } from '../../ui/display/StarButton.tsx';
import { TileCard } from '../../ui/TileCard.tsx';
import { isNew } from './filter-games.ts';
import { splitMatches } from './match.ts';

export type GameTileProps = {
  game: Game;
  starred: boolean;
  /** The star is being saved. */
  busy: boolean;
  onStar: (game: Game, starred: boolean) => void;
  onLaunch: (game: Game) => void;
  eager: boolean;
  /** The image sizes; the default is for three columns. */
  sizes?: string | undefined;
  /** Tiles far from the viewport show no picture. */
  isNearViewport?: boolean;
  /** Marks hot games. False in lists of only hot games. */
  showHotMark?: boolean;
  hideMarks?: boolean;
  /** The search text. Shows the name under the picture, with matches marked. */
  searched?: string | undefined;
};

export const GameTile = memo(function GameTile(props: GameTileProps) {
  const {
    game,
    starred,
    busy,
    onStar,
    onLaunch,
    eager,
    sizes,
    isNearViewport = true,
    showHotMark = false,
    hideMarks = false,
    searched,
  } = props;
  const { t } = useLingui();
  const { name } = game;
  const mark = isNew(game) ? t`New` : showHotMark && game.hot ? t`Hot` : undefined;

  return (
    <TileCard
      name={name}
      lang={game.language}
      art={isNearViewport ? game.image : ''}
      vendor={game.vendorName}
      href={launchPath(game)}
      onLaunch={() => onLaunch(game)}
      eager={eager}
      sizes={sizes}
      mark={hideMarks ? undefined : mark}
      closed={game.maintenance ? t`Maintenance` : isSupported(game) ? undefined : t`Not open yet`}
      caption={searched === undefined ? undefined : <Caption name={name} searched={searched} />}
      corner={
        <StarButton
          name={name}
          starred={starred}
          busy={busy}
          onPress={() => onStar(game, !starred)}
        />
      }
    />
  );
});

function Caption({ name, searched }: { name: string; searched: string }) {
  if (!searched) return name;
  return splitMatches(name, searched).map(({ text, found, at }) =>
    found ? <mark key={at}>{text}</mark> : text,
  );
}
