import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';

import * as categoryCode from '../../api/categories.gen.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { useIntoView } from '../../lib/into-view.ts';
import { Link, opensElsewhere } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { categoryOf, servedCategories } from './categories.ts';
import { listPath, type List } from './filter-url.ts';
import { useCategoryName } from './useCategoryName.ts';

import styles from './ListTabs.module.css';

const { all, hot, favourites } = categoryCode;

export type ListTabsProps = { list: List; onChoose: (list: List) => void };

export function ListTabs({ list, onChoose }: ListTabsProps) {
  const { t } = useLingui();
  const nameOf = useCategoryName();
  const { data, isError, refetch } = useQuery(vendorsQuery);
  const vendors = data ?? [];
  const current = codeOf(list);
  const row = useIntoView(`${current}/${vendors.length}`);
  const served = servedCategories(vendors).filter(({ code }) => code !== all);
  const tabs = [categoryOf(all), categoryOf(hot), categoryOf(favourites), ...served];
  // A category that only the URL names gets a tab too.
  if (!tabs.some(({ code }) => code === current)) tabs.splice(3, 0, categoryOf(current));

  return (
    <nav ref={row} aria-label={t`Game categories`} className={styles.tabs}>
      {tabs.map((category) => {
        const next = listOf(category.code, list);
        return (
          <Link
            key={category.code}
            to={listPath(next)}
            className={styles.tab}
            aria-current={category.code === current ? 'true' : undefined}
            onClick={(event: MouseEvent) => {
              if (opensElsewhere(event)) return;
              event.preventDefault();
              onChoose(next);
            }}
          >
            {nameOf(category)}
          </Link>
        );
      })}
      {isError && !data && (
        <button type="button" className={styles.tab} onClick={() => void refetch()}>
          <Icon name="arrow-clockwise" size={18} />
          {t`Load failed, tap to retry`}
        </button>
      )}
    </nav>
  );
}

function codeOf({ view, filter }: List): string {
  if (view === 'hot') return hot;
  return view === 'fav' ? favourites : filter.category;
}

/** Keeps the current search and filters. */
function listOf(code: string, { filter }: List): List {
  if (code === hot) return { view: 'hot', filter: { ...filter, category: all } };
  if (code === favourites) return { view: 'fav', filter: { ...filter, category: all } };
  return { view: 'all', filter: { ...filter, category: code } };
}
