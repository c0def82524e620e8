import { useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

import * as categoryCode from '../../api/categories.gen.ts';
import { useStars, type Stars } from '../../api/favourites.ts';
import {
  allGames,
  gamePagesQuery,
  uniqueGames,
  listKey,
  type GameFilter,
} from '../../api/game-list.ts';
import { useLaunch } from '../../api/use-launch.ts';
import { vendorsQuery, type Vendor } from '../../api/vendors.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { Link } from '../../lib/router.tsx';
import { launchToasts } from '../../ui/display/launchToasts.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { starToasts } from '../../ui/display/starToasts.ts';
import { VendorLogo } from '../../ui/display/VendorLogo.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { TileSkeleton } from '../../ui/Tile.tsx';
import { listPath } from './filter-url.ts';
import { GameTile } from './GameTile.tsx';
import { NoGames } from './NoGames.tsx';
import { useNearViewport } from './useNearViewport.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './SlotsScreen.module.css';

const { slots } = categoryCode;

const maxInRow = 9;

export default function SlotsScreen() {
  const { t } = useLingui();
  const query = useQuery(vendorsQuery);
  const cache = useQueryClient();
  const refresh = useRefresh({
    refresh: async () => {
      const [vendors] = await Promise.all([
        query.refetch(),
        cache.invalidateQueries({ queryKey: listKey }),
      ]);
      return vendors;
    },
  });
  const favourites = useStars(starToasts);
  const [empty, setEmpty] = useState<ReadonlySet<string>>(new Set());
  const reportEmpty = useCallback((code: string, isEmpty: boolean) => {
    setEmpty((before) => {
      if (before.has(code) === isEmpty) return before;
      const others = [...before].filter((each) => each !== code);
      return new Set(isEmpty ? [...others, code] : others);
    });
  }, []);

  return (
    <div className={styles.screen}>
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <QueryView
        query={query}
        errorClass={styles.failed}
        skeleton={[1, 2, 3].map((row) => (
          <RowSkeleton key={row} />
        ))}
      >
        {(all) => {
          const vendors = all.filter(({ categories }) => categories.includes(slots));
          return (
            <>
              {vendors.map((vendor) => (
                <VendorRow
                  key={vendor.code}
                  vendor={vendor}
                  favourites={favourites}
                  onEmpty={reportEmpty}
                />
              ))}
              {vendors.every(({ code }) => empty.has(code)) && (
                <NoGames list={{ view: 'all', filter: { ...allGames, category: slots } }} />
              )}
            </>
          );
        }}
      </QueryView>
    </div>
  );
}

type VendorRowProps = {
  vendor: Vendor;
  favourites: Stars;
  onEmpty: (code: string, isEmpty: boolean) => void;
};

/** One vendor's slots, fetched when the row comes near the viewport. */
function VendorRow({ vendor, favourites, onEmpty }: VendorRowProps) {
  const { t } = useLingui();
  const [row, isNearViewport] = useNearViewport();
  const [filter] = useState<GameFilter>({ ...allGames, category: slots, vendors: [vendor.code] });
  const query = useInfiniteQuery({
    ...gamePagesQuery(useLanguage(), filter),
    enabled: isNearViewport,
  });
  const launch = useLaunch(launchToasts);
  const all = listPath({ view: 'all', filter });
  const games = uniqueGames(query.data?.pages ?? []).slice(0, maxInRow);
  const isEmpty = query.data !== undefined && games.length === 0;
  useEffect(() => onEmpty(vendor.code, isEmpty), [onEmpty, vendor.code, isEmpty]);
  if (isEmpty) return null;

  return (
    <section ref={row} aria-labelledby={`slots-${vendor.code}`} className={styles.row}>
      <div className={styles.head}>
        <VendorLogo icon={vendor.icon} name={vendor.name} />
        <h2 id={`slots-${vendor.code}`} className={styles.title}>
          {vendor.name}
        </h2>
        <Link to={all} className={styles.more} aria-label={`${t`More`}: ${vendor.name}`}>
          {t`More`}
          <Icon name="caret-right-bold" size={12} />
        </Link>
      </div>
      <QueryView
        query={query}
        errorClass={styles.failed}
        skeleton={
          <ul className={styles.strip}>
            {[1, 2, 3, 4].map((i) => (
              <li key={i}>
                <TileSkeleton />
              </li>
            ))}
          </ul>
        }
      >
        {() => (
          <ul className={styles.strip}>
            {games.map((game) => (
              <li key={game.nodeId}>
                <GameTile
                  game={game}
                  starred={favourites.ids.has(game.nodeId)}
                  busy={favourites.busy.has(game.nodeId)}
                  onStar={favourites.star}
                  onLaunch={launch}
                  eager={false}
                  showHotMark
                />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

function RowSkeleton() {
  return (
    <div aria-hidden="true" className={styles.row}>
      <div className={styles.head} />
      <div className={styles.strip}>
        {[1, 2, 3, 4].map((i) => (
          <div key={i}>
            <TileSkeleton />
          </div>
        ))}
      </div>
    </div>
  );
}
