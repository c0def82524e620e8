import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import type { GameFilter } from '../../api/game-list.ts';
import { useLoggedIn } from '../../api/session.ts';
import { useLanguage } from '../../i18n/runtime.ts';
import { navigate, useAddressQuery } from '../../lib/router.tsx';
import { PullToRefresh } from '../../ui/PullToRefresh.tsx';
import { ActiveFilters } from './ActiveFilters.tsx';
import { screenPath } from './categories.ts';
import { listPath, readList, type List } from './filter-url.ts';
import { FilterSheet } from './FilterSheet.tsx';
import { GameGrid } from './GameGrid.tsx';
import { ListBar } from './ListBar.tsx';
import { ListTabs } from './ListTabs.tsx';
import { LoginNeeded } from './LoginNeeded.tsx';
import { NoGames } from './NoGames.tsx';
import { SortMenu } from './SortMenu.tsx';
import { resetGames, useGames } from './useGames.ts';
import { useRefresh } from './useRefresh.ts';

import styles from './ListScreen.module.css';

const favouritesPageSize = 15;

export default function ListScreen() {
  const { t } = useLingui();
  const cache = useQueryClient();
  const language = useLanguage();
  const url = useAddressQuery().toString();
  const list = useMemo(() => readList(new URLSearchParams(url)), [url]);
  const { view, filter } = list;
  const games = useGames(list, favouritesPageSize);
  const refresh = useRefresh(games);
  const [filtering, setFiltering] = useState(false);
  const locked = !useLoggedIn() && view === 'fav';
  const { total } = games;
  const redirect = screenPath(filter.category);

  useEffect(() => {
    if (redirect) navigate(redirect, { replace: true });
  }, [redirect]);
  if (redirect) return null;

  function choose(next: List): void {
    resetGames(cache, language, next, favouritesPageSize);
    show(next);
  }

  const updateFilter = (change: Partial<GameFilter>) =>
    show({ view, filter: { ...filter, ...change } });

  return (
    <div className={styles.screen}>
      <div className={styles.top}>
        <h1 className={styles.visuallyHidden} tabIndex={-1}>
          {t`Games`}
        </h1>
        <ListBar
          filter={filter}
          onSearch={(name) => updateFilter({ name })}
          onFilter={() => setFiltering(true)}
        />
        <ListTabs list={list} onChoose={choose} />
      </div>
      <PullToRefresh label={t`Loading`} onRefresh={refresh} />
      <ActiveFilters filter={filter} onChange={updateFilter} />
      <div className={styles.row}>
        <p role="status" className={styles.count}>
          {total !== undefined && !locked && (
            <>{t`${plural(total, { one: '# game', other: '# games' })}`}</>
          )}
        </p>
        {/* Favourites are always sorted by the time of their star. */}
        {view !== 'fav' && total !== 0 && (
          <SortMenu value={filter.sort} onChange={(sort) => updateFilter({ sort })} />
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
            showHotMark={view !== 'hot'}
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
