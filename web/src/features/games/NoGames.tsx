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
import { categoryOf } from './categories.ts';
import { filterCount, listPath, unfiltered, type List } from './filter-url.ts';
import { GameTile } from './GameTile.tsx';
import { similarGames, searchWords } from './similar-games.ts';
import { useCategoryName } from './useCategoryName.ts';

import styles from './NoGames.module.css';

export function NoGames({ list }: { list: List }) {
  const { t } = useMacro();
  const { filter, view } = list;
  const hasFilters = filterCount(filter) > 0;
  const reason = useReason(list);
  const hotPath = listPath({ view: 'hot', filter: allGames });

  if (view === 'fav' && !hasFilters && !filter.name) {
    return (
      <Empty
        art={artUrl('spots/star.webp')}
        title={t`No favourites yet`}
        text={t`Tap the star of a game to find it here.`}
        actions={<ActionLink to={hotPath}>{t`See hot games`}</ActionLink>}
      />
    );
  }
  return (
    <>
      <Empty
        art={artUrl(filter.name || hasFilters ? 'spots/search.webp' : 'spots/empty.webp')}
        title={filter.name || hasFilters ? t`No game found` : t`No games here yet`}
        text={reason}
        actions={
          <>
            {hasFilters ? (
              <ActionLink
                to={listPath({ view, filter: unfiltered(filter) })}
                secondary
                icon="funnel"
              >
                {t`Drop the filters`}
              </ActionLink>
            ) : (
              <ActionLink to={listPath({ view: 'all', filter: allGames })} secondary>
                {t`All games`}
              </ActionLink>
            )}
            <ActionLink to={hotPath}>{t`See hot games`}</ActionLink>
          </>
        }
      />
      {filter.name && <SimilarGames name={filter.name} />}
    </>
  );
}

type ActionLinkProps = { to: string; secondary?: boolean; icon?: IconName; children: string };

function ActionLink({ to, secondary, icon, children }: ActionLinkProps) {
  const look = buttonClass({ size: 'md', ...(secondary && { variant: 'secondary' as const }) });
  return (
    <Link to={to} replace className={cx(look, styles.action)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Link>
  );
}

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

function SimilarGames({ name }: { name: string }) {
  const { t } = useMacro();
  const { data } = useQuery(similarGamesQuery(useLanguage(), searchWords(name)));
  const favourites = useStars(starToasts);
  const launch = useLaunch(launchToasts);
  const games = similarGames(data ?? [], name);
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="similar-games" className={styles.similar}>
      <h2 id="similar-games" className={styles.title}>
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
              showHotMark={false}
              searched={name}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
