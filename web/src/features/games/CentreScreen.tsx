import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { allGames } from '../../api/game-list.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { Link } from '../../lib/router.tsx';
import { VendorLogo } from '../../ui/display/VendorLogo.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { categoryArt, categoryOf, servedCategories, type AnyCategory } from './categories.ts';
import { listPath } from './filter-url.ts';
import { selectionPath } from './lobby-selection.ts';
import { useCategoryName } from './useCategoryName.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './CentreScreen.module.css';

const { all, hot, favourites, jl, slots, fastLottery } = categoryCode;

const screens: readonly AnyCategory[] = [
  { code: categoryCode.liveStreams, art: 'stream', name: msg`Live streams` },
  { code: categoryCode.promotions, art: 'gift', name: msg`Promotion` },
  { code: categoryCode.home, art: 'lantern', name: msg`Home` },
];

export default function CentreScreen() {
  const { t } = useLingui();
  const { data: vendors, error, refetch, isPending } = useQuery(vendorsQuery);
  const refresh = useRefresh({ refresh: refetch });
  const leading = [all, hot, favourites, jl].map(categoryOf);
  const served = servedCategories(vendors ?? []).filter(({ code }) => code !== jl && code !== all);

  return (
    <div className={styles.screen} aria-busy={isPending}>
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <section aria-labelledby="centre-categories">
        <h2 id="centre-categories" className={styles.title}>
          {t`Game categories`}
        </h2>
        <ul className={styles.grid}>
          {[...leading, ...served].map((category) => (
            <Card key={category.code} category={category} />
          ))}
          {isPending && Array.from({ length: 8 }, (_, i) => <CardSkeleton key={i} />)}
          {screens.map((category) => (
            <Card key={category.code} category={category} />
          ))}
        </ul>
      </section>
      {!vendors && error && (
        <ErrorRetry
          onRetry={refetch}
          detail={describeError(error)}
          answered={wasAnswered(error)}
          className={styles.failed}
        />
      )}
      {!!vendors?.length && (
        <section aria-labelledby="centre-providers">
          <h2 id="centre-providers" className={styles.title}>
            {t`Game providers`}
          </h2>
          <ul className={styles.providers}>
            {vendors.map(({ code, name, icon, maintenance }) => (
              <li key={code}>
                <Link
                  to={listPath({ view: 'all', filter: { ...allGames, vendors: [code] } })}
                  className={styles.provider}
                >
                  <VendorLogo icon={icon} name={name} />
                  <span className={styles.providerName}>
                    {name}
                    {maintenance && <span className={styles.closed}>{t`Maintenance`}</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Card({ category }: { category: AnyCategory }) {
  const nameOf = useCategoryName();
  return (
    <li>
      <Link to={categoryPath(category.code)} className={styles.card}>
        <Picture src={categoryArt(category)} size={44} lazy />
        {nameOf(category)}
      </Link>
    </li>
  );
}

/** In the game centre, fast lottery opens its list, not the lottery itself. */
function categoryPath(code: string): string {
  if (code === slots) return '/m/slotsCenter';
  if (code === all || code === fastLottery) {
    return listPath({ view: 'all', filter: { ...allGames, category: code } });
  }
  return selectionPath({ category: code });
}

function CardSkeleton() {
  return (
    <li aria-hidden="true" className={styles.card}>
      <Skeleton shape="box" width={44} height={44} />
      <Skeleton width={52} height={12} />
    </li>
  );
}
