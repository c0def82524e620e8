import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { Game } from '../../api/catalogue.ts';
import { hot } from '../../api/categories.gen.ts';
import { isInCategory, type Category } from '../../api/category-table.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { useIncrementalRender } from '../../lib/idle.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Deferred } from '../../ui/Deferred.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TilePlaceholder, TileSkeleton } from '../../ui/Tile.tsx';
import { HomeTile } from './HomeTile.tsx';

import home from './HomeScreen.module.css';
import styles from './HotGames.module.css';

const loadStars = () => import('./deferred/StarObserver.tsx');

export const hotGamesId = 'hot-games';

const maxGames = 21;
/** Tiles whose pictures load first. */
const eagerTiles = 3;
/** Two rows: as many tiles as render within one idle period. */
const tilesPerStep = 6;
const lastStep = Math.ceil(maxGames / tilesPerStep);

export type HotGamesProps = {
  query: UseQueryResult<Game[]>;
  /** The games to show, possibly older than the query's data. */
  games: Game[] | undefined;
  category: Category;
  /** Whether all tiles render at once, and not in steps. */
  atOnce: boolean;
  /** Called when all tiles are rendered. The function must be stable. */
  onRendered: () => void;
};

/** The hot games, or those of one category. */
export function HotGames({ query, games, category, atOnce, onRendered }: HotGamesProps) {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const all = category.code === hot;
  const name = i18n._(category.name);
  const more = all ? '/m/gameList?type=hot' : `/m/gameList?gameType=${category.code}`;

  return (
    <section className={home.games} aria-labelledby={hotGamesId} aria-busy={query.isPending}>
      <div className={home.sectionHead}>
        <h2 id={hotGamesId} className={home.sectionTitle}>
          {all ? t`Hot games` : t`Hot in ${name}`}
        </h2>
        <Link to={more} className={home.more}>
          {t`More`}
          <Icon name="caret-right-bold" size={12} />
        </Link>
      </div>
      <Deferred load={loadStars} afterInput />
      <Games
        query={query}
        games={games}
        category={category}
        more={more}
        atOnce={atOnce}
        onRendered={onRendered}
      />
    </section>
  );
}

function Games({
  query,
  games: all,
  category,
  more,
  atOnce,
  onRendered,
}: HotGamesProps & { more: string }) {
  const { t } = useMacro();
  const step = useIncrementalRender(lastStep, atOnce);
  useEffect(() => {
    if (step === lastStep) onRendered();
  }, [step, onRendered]);
  const { error, refetch } = query;
  if (!all && error) {
    return (
      <ErrorRetry
        onRetry={refetch}
        detail={describeError(error)}
        answered={wasAnswered(error)}
        className={styles.error}
      />
    );
  }
  if (!all) {
    return (
      <div className={styles.grid}>
        {Array.from({ length: maxGames }, (_, i) => (
          <TileSkeleton key={i} />
        ))}
      </div>
    );
  }
  const games = all
    .filter((game) => category.code === hot || isInCategory(game, category.code))
    .slice(0, maxGames);
  if (games.length === 0) {
    return (
      <Empty
        icon="game-controller"
        title={t`No games here yet`}
        text={t`Look at all games instead.`}
        actions={
          <Link to="/m/game" className={buttonClass({ variant: 'secondary', size: 'md' })}>
            {t`Game center`}
          </Link>
        }
      />
    );
  }
  return (
    <>
      <div className={styles.grid}>
        {games.map((game, index) =>
          index < tilesPerStep * step ? (
            <HomeTile key={game.nodeId} game={game} eager={index < eagerTiles} />
          ) : (
            <TilePlaceholder key={game.nodeId} />
          ),
        )}
      </div>
      <div className={styles.all}>
        <Link to={more} className={buttonClass({ variant: 'secondary', size: 'md', full: true })}>
          {t`More games`}
        </Link>
      </div>
    </>
  );
}
