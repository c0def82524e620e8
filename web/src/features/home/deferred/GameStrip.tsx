import type { Game } from '../../../api/catalogue.ts';
import { canWin, type Jackpot } from '../../../api/jackpot.ts';
import { useIncrementalRender } from '../../../lib/idle.ts';
import { TilePlaceholder, TileSkeleton } from '../../../ui/Tile.tsx';
import { HomeTile } from '../HomeTile.tsx';
import { GameCounter } from './GameCounter.tsx';

import styles from './GameStrip.module.css';

const visibleTiles = 4;

export type GameStripProps = {
  games: readonly Game[] | undefined;
  /** Shown under the games that can win it. */
  jackpot?: Jackpot | undefined;
};

/** A scrolling row of games. The visible tiles render first. */
export function GameStrip({ games, jackpot }: GameStripProps) {
  const steps = Math.ceil((games?.length ?? 0) / visibleTiles) - 1;
  const renderedTiles = visibleTiles * (useIncrementalRender(Math.max(0, steps), false, true) + 1);
  return (
    <ul className={styles.strip} aria-busy={games === undefined || undefined}>
      {games
        ? games.map((game, index) => (
            <li key={game.nodeId} className={styles.item}>
              {index < renderedTiles ? (
                <>
                  <HomeTile game={game} eager={false} />
                  {jackpot && canWin(jackpot, game) && (
                    <GameCounter nodeId={game.nodeId} jackpot={jackpot} />
                  )}
                </>
              ) : (
                <TilePlaceholder />
              )}
            </li>
          ))
        : Array.from({ length: visibleTiles }, (_, i) => (
            <li key={i} className={styles.item}>
              <TileSkeleton />
            </li>
          ))}
    </ul>
  );
}
