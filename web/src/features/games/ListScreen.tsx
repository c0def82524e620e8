import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import type { GameFilter } from '../../api/game-list.ts';
import { useLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { navigate, useAddressQuery } from '../../lib/router.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { ActiveFilters } from './ActiveFilters.tsx';
import { listPath, readList, type List } from './address.ts';
import { FilterSheet } from './FilterSheet.tsx';
import { GameGrid } from './GameGrid.tsx';
import { ListBar } from './ListBar.tsx';
import { ListTabs } from './ListTabs.tsx';
import { LoginNeeded } from './LoginNeeded.tsx';
import { NoGames } from './NoGames.tsx';
import { SortMenu } from './SortMenu.tsx';
import { forgetGames, useGames } from './useGames.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './ListScreen.module.css';

/** Favourites on one page of this screen. */
const favouritesPage = 15;

/** Games to search, narrow and order. All of that stands in the address. */
export default function ListScreen() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const address = useAddressQuery().toString();
  const list = useMemo(() => readList(new URLSearchParams(address)), [address]);
  const { view, filter } = list;
  const games = useGames(list, favouritesPage);
  const refresh = useRefresh(games);
  const [filtering, setFiltering] = useState(false);
  const locked = !useLoggedIn() && view === 'fav';
  const { total } = games;

  function choose(next: List): void {
    forgetGames(cache, language, next, favouritesPage);
    show(next);
  }

  const narrow = (some: Partial<GameFilter>) => show({ view, filter: { ...filter, ...some } });

  return (
    <div className={styles.screen}>
      <div className={styles.top}>
        <h1 className={styles.spoken} tabIndex={-1}>
          {t`Games`}
        </h1>
        <ListBar
          filter={filter}
          onSearch={(name) => narrow({ name })}
          onFilter={() => setFiltering(true)}
        />
        <ListTabs list={list} onChoose={choose} />
      </div>
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <ActiveFilters filter={filter} onChange={narrow} />
      <div className={styles.row}>
        <p role="status" className={styles.count}>
          {total !== undefined && !locked && (
            <>{t`${plural(total, { one: '# game', other: '# games' })}`}</>
          )}
        </p>
        {/* A member's favourites have an order of their own: the last starred first. No games need none. */}
        {view !== 'fav' && total !== 0 && (
          <SortMenu value={filter.sort} onChange={(sort) => narrow({ sort })} />
        )}
      </div>
      <div className={styles.games}>
        {locked ? (
          <LoginNeeded />
        ) : (
          <GameGrid
            label={t`Games`}
            games={games}
            columns={3}
            hotMark={view !== 'hot'}
            searched={filter.name}
            empty={<NoGames list={list} />}
          />
        )}
      </div>
      <FilterSheet
        open={filtering}
        onClose={() => setFiltering(false)}
        list={list}
        onApply={(next) => show({ view, filter: next })}
      />
    </div>
  );
}

function show(next: List): void {
  window.scrollTo({ top: 0, behavior: 'instant' });
  navigate(listPath(next), { replace: true });
}
