import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';

import type { Game } from '../../api/catalogue.ts';
import { hot } from '../../api/categories.gen.ts';
import { isInCategory, type Category } from '../../api/category-table.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Empty } from '../../ui/Empty.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { TilePlaceholder, TileSkeleton } from '../../ui/Tile.tsx';
import { HomeTile } from './HomeTile.tsx';

import home from './HomeScreen.module.css';
import styles from './HotGames.module.css';

/** The heading, as an address of its own on the page. */
export const hotGamesId = 'hot-games';

/** Home never shows more. */
const most = 21;
/** Tiles of the first row are on the screen at once. */
const firstRow = 3;

export type HotGamesProps = {
  query: UseQueryResult<Game[]>;
  /** What is shown, which may be older than what the query could get. */
  games: Game[] | undefined;
  category: Category;
  /** How many tiles are made by now; the others have their places. */
  made: number;
};

/** The hot games, or those of one category among them. */
export function HotGames({ query, games, category, made }: HotGamesProps) {
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
      <Games query={query} games={games} category={category} more={more} made={made} />
    </section>
  );
}

function Games({ query, games: all, category, more, made }: HotGamesProps & { more: string }) {
  const { t } = useMacro();
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
        {Array.from({ length: most }, (_, i) => (
          <TileSkeleton key={i} />
        ))}
      </div>
    );
  }
  const games = all
    .filter((game) => category.code === hot || isInCategory(game, category.code))
    .slice(0, most);
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
          index < made ? (
            <HomeTile key={game.nodeId} game={game} eager={index < firstRow} />
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
