import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';

import { favouritePagesQuery } from '../../../api/favourites.ts';
import { describeError, wasAnswered } from '../../../i18n/api-error.ts';
import { useLanguage } from '../../../i18n/runtime.ts';
import { Link } from '../../../lib/router.tsx';
import { buttonClass } from '../../../ui/buttonClass.ts';
import { Empty } from '../../../ui/Empty.tsx';
import { ErrorRetry } from '../../../ui/ErrorRetry.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { GameStrip } from './GameStrip.tsx';

import home from '../HomeScreen.module.css';
import styles from './HomeBlocks.module.css';

/** The page size of the favourites list. */
const maxGames = 15;

export function FavouritesBlock() {
  const { t } = useLingui();
  const { data, error, refetch } = useInfiniteQuery(favouritePagesQuery(useLanguage(), maxGames));
  const games = data?.pages.flatMap((page) => page.games).slice(0, maxGames);
  return (
    <section className={home.section} aria-labelledby="favourites">
      <div className={home.sectionHead}>
        <h2 id="favourites" className={home.sectionTitle}>
          {t`Favourites`}
        </h2>
        <Link to="/m/gameList?type=fav" className={home.more}>
          {t`More`}
          <Icon name="caret-right-bold" size={12} />
        </Link>
      </div>
      {!data && error ? (
        <ErrorRetry
          onRetry={refetch}
          detail={describeError(error)}
          answered={wasAnswered(error)}
          className={styles.inset}
        />
      ) : games?.length === 0 ? (
        <Empty
          icon="star"
          title={t`No favourites yet`}
          text={t`Star a game and it waits for you here.`}
          actions={
            <Link to="/m/game" className={buttonClass({ variant: 'secondary', size: 'md' })}>
              {t`Find games`}
            </Link>
          }
        />
      ) : (
        <GameStrip games={games} />
      )}
    </section>
  );
}
