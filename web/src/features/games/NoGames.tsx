import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { useStars } from '../../api/favourites.ts';
import { allGames, similarGamesQuery } from '../../api/game-list.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { artUrl } from '../../lib/art.ts';
import { cx } from '../../lib/cx.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { starToasts } from '../../ui/display/starToasts.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { captionHeight } from '../../ui/TileCard.tsx';
import { filterCount, listPath, unfiltered, type List } from './address.ts';
import { categoryOf } from './categories.ts';
import { GameTile } from './GameTile.tsx';
import { similarGames, tellingWords } from './similar-games.ts';
import { useCategoryName } from './useCategoryName.ts';

import styles from './NoGames.module.css';

/** Stands where a list has no games: why, and the similarGames ways out. */
export function NoGames({ list }: { list: List }) {
  const { t } = useMacro();
  const { filter, view } = list;
  const narrowed = filterCount(filter) > 0;
  const reason = useReason(list);
  const hotPath = listPath({ view: 'hot', filter: allGames });

  if (view === 'fav' && !narrowed && !filter.name) {
    return (
      <Empty
        art={artUrl('spots/star.webp')}
        title={t`No favourites yet`}
        text={t`Tap the star of a game to find it here.`}
        actions={<Way to={hotPath}>{t`See hot games`}</Way>}
      />
    );
  }
  return (
    <>
      <Empty
        art={artUrl(filter.name || narrowed ? 'spots/search.webp' : 'spots/empty.webp')}
        title={filter.name || narrowed ? t`No game found` : t`No games here yet`}
        text={reason}
        actions={
          <>
            {narrowed ? (
              <Way to={listPath({ view, filter: unfiltered(filter) })} second icon="funnel">
                {t`Drop the filters`}
              </Way>
            ) : (
              <Way to={listPath({ view: 'all', filter: allGames })} second>
                {t`All games`}
              </Way>
            )}
            <Way to={hotPath}>{t`See hot games`}</Way>
          </>
        }
      />
      {filter.name && <NearMatches name={filter.name} />}
    </>
  );
}

type WayProps = { to: string; second?: boolean; icon?: IconName; children: string };

function Way({ to, second, icon, children }: WayProps) {
  const look = buttonClass({ size: 'md', ...(second && { variant: 'secondary' as const }) });
  return (
    <Link to={to} replace className={cx(look, styles.way)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Link>
  );
}

/** What was looked for, and where. */
function useReason({ view, filter }: List): string {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const nameOf = useCategoryName();
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const { name } = filter;
  const code =
    view === 'hot' ? categoryCode.hot : view === 'fav' ? categoryCode.favourites : filter.category;
  const where = nameOf(categoryOf(code));
  const makers = new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(
    filter.vendors.map(
      (each) => vendors.find((vendor) => vendor.code === each)?.name ?? t`another provider`,
    ),
  );
  if (name && makers) return t`Nothing found for “${name}” in ${where} by ${makers}.`;
  if (name) return t`Nothing found for “${name}” in ${where}.`;
  if (makers) return t`There is nothing in ${where} by ${makers}.`;
  return t`There is nothing in ${where} right now.`;
}

/** Games whose names come near to what was typed. */
function NearMatches({ name }: { name: string }) {
  const { t } = useMacro();
  const { data } = useQuery(similarGamesQuery(useLanguage(), tellingWords(name)));
  const favourites = useStars(starToasts);
  const launch = useLaunch(launchToasts);
  const games = similarGames(data ?? [], name);
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="near-matches" className={styles.near}>
      <h2 id="near-matches" className={styles.title}>
        {t`Close to what you typed`}
      </h2>
      <ul style={{ '--below': captionHeight }} className={styles.grid}>
        {games.map((game) => (
          <li key={game.nodeId}>
            <GameTile
              game={game}
              starred={favourites.ids.has(game.nodeId)}
              busy={favourites.busy.has(game.nodeId)}
              onStar={favourites.star}
              onLaunch={launch}
              eager={false}
              hotMark={false}
              searched={name}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
