import type { Game } from '../../../api/catalogue.ts';
import { canWin, type Jackpot } from '../../../api/jackpot.ts';
import { useIncrementalRender } from '../../../lib/idle.ts';
import { TilePlaceholder, TileSkeleton } from '../../../ui/Tile.tsx';
import { HomeTile } from '../HomeTile.tsx';
import { GameCounter } from './GameCounter.tsx';

import styles from './GameStrip.module.css';

/** Tiles kept while the games are on their way: as many as are in sight. */
const places = 4;

export type GameStripProps = {
  games: readonly Game[] | undefined;
  /** What those of them that can win it are played for. */
  jackpot?: Jackpot | undefined;
};

/** Games in one row that scrolls. Those in sight are made first; the others follow, in places of their own. */
export function GameStrip({ games, jackpot }: GameStripProps) {
  const steps = Math.ceil((games?.length ?? 0) / places) - 1;
  const made = places * (useIncrementalRender(Math.max(0, steps), false, true) + 1);
  return (
    <ul className={styles.strip} aria-busy={games === undefined || undefined}>
      {games
        ? games.map((game, index) => (
            <li key={game.nodeId} className={styles.item}>
              {index < made ? (
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
        : Array.from({ length: places }, (_, i) => (
            <li key={i} className={styles.item}>
              <TileSkeleton />
            </li>
          ))}
    </ul>
  );
}
