import { useLingui } from '@lingui/react/macro';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';

import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';
import { useLoadMore } from '../useLoadMore.ts';
import { QueryView } from './QueryView.tsx';

import styles from './PagedList.module.css';

export type PagedListProps<Page, Row> = {
  query: UseInfiniteQueryResult<InfiniteData<Page>>;
  rowsOf: (page: Page) => readonly Row[];
  keyOf: (row: Row) => string;
  renderRow: (row: Row) => ReactNode;
  skeleton: ReactNode;
  empty: ReactNode;
  head?: ((first: Page) => ReactNode) | undefined;
  end?: ReactNode;
  label: string;
  className?: string | undefined;
};

const skeletonRows = 6;

/** A list that loads its next page near the end. Rows that occur on two pages appear once. */
export function PagedList<Page, Row>(props: PagedListProps<Page, Row>) {
  const { query, skeleton, className } = props;
  return (
    <QueryView
      query={query}
      className={className}
      skeleton={
        <div className={styles.list}>
          {Array.from({ length: skeletonRows }, (_, i) => (
            <div key={i}>{skeleton}</div>
          ))}
        </div>
      }
    >
      {(data) => <Rows {...props} data={data} />}
    </QueryView>
  );
}

function Rows<Page, Row>(props: PagedListProps<Page, Row> & { data: InfiniteData<Page> }) {
  const { query, data, rowsOf, keyOf, renderRow, skeleton, empty, head, end, label } = props;
  const { t } = useLingui();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = query;
  const endRef = useLoadMore(
    hasNextPage && !isFetchingNextPage && !isFetchNextPageError,
    () => void query.fetchNextPage(),
  );
  const rows = useMemo(() => {
    const byKey = new Map<string, Row>();
    for (const row of data.pages.flatMap((page) => rowsOf(page))) {
      const key = keyOf(row);
      if (!byKey.has(key)) byKey.set(key, row);
    }
    return [...byKey];
  }, [data, rowsOf, keyOf]);
  const [first] = data.pages;
  if (rows.length === 0 && !hasNextPage) {
    return (
      <>
        {first !== undefined && head?.(first)}
        {empty}
      </>
    );
  }
  return (
    <>
      {first !== undefined && head?.(first)}
      <ul aria-label={label} className={styles.list}>
        {rows.map(([key, row]) => (
          <li key={key}>{renderRow(row)}</li>
        ))}
      </ul>
      <div ref={endRef} />
      {isFetchingNextPage && (
        <div role="status" aria-label={t`Loading`}>
          {skeleton}
        </div>
      )}
      {isFetchNextPageError && (
        <ErrorRetry
          detail={describeError(error)}
          answered={wasAnswered(error)}
          onRetry={() => query.fetchNextPage()}
        />
      )}
      {!hasNextPage && end && <p className={styles.end}>{end}</p>}
    </>
  );
}
