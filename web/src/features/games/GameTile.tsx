import { useLingui } from '@lingui/react/macro';
import { memo } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { isSupported, launchPath } from '../../api/launch.ts';
import { StarButton } from '../../ui/display/StarButton.tsx';
import { TileCard } from '../../ui/TileCard.tsx';
import { isNew } from './filter-games.ts';
import { piecesOf } from './match.ts';

export type GameTileProps = {
  game: Game;
  starred: boolean;
  /** The server is being told about the star. */
  busy: boolean;
  onStar: (game: Game, starred: boolean) => void;
  onLaunch: (game: Game) => void;
  eager: boolean;
  /** How wide it is, where that is not as in three columns. */
  sizes?: string | undefined;
  /** Whether it is near enough to the screen for its picture. */
  near?: boolean;
  /** Whether it is worth saying that the game is hot, as it is not among nothing but hot ones. */
  hotMark?: boolean;
  /** As home shows it: without any marks. */
  asHome?: boolean;
  /** With the name under the picture too, and in it marked what was searched for. */
  searched?: string | undefined;
};

/** A game in a list: its picture, its vendor, its name, its star. Made anew only when it changes itself. */
export const GameTile = memo(function GameTile(props: GameTileProps) {
  const {
    game,
    starred,
    busy,
    onStar,
    onLaunch,
    eager,
    sizes,
    near = true,
    hotMark = false,
    asHome = false,
    searched,
  } = props;
  const { t } = useLingui();
  const { name } = game;
  const mark = isNew(game) ? t`New` : hotMark && game.hot ? t`Hot` : undefined;

  return (
    <TileCard
      name={name}
      lang={game.language}
      art={near ? game.image : ''}
      vendor={game.vendorName}
      href={launchPath(game)}
      onLaunch={() => onLaunch(game)}
      eager={eager}
      sizes={sizes}
      mark={asHome ? undefined : mark}
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
  return piecesOf(name, searched).map(({ text, found, at }) =>
    found ? <mark key={at}>{text}</mark> : text,
  );
}
