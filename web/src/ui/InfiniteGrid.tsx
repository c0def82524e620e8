import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { ErrorRetry } from './ErrorRetry.tsx';
import { TileSkeleton } from './Tile.tsx';
import { useLoadMore } from './useLoadMore.ts';

import styles from './InfiniteGrid.module.css';

/** Rows that appear and disappear together: what is far from the screen is not laid out. */
const blockRows = 4;

export type InfiniteGridProps<T> = {
  /** What the list holds, for screen readers. */
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  renderItem: (item: T, index: number) => ReactNode;
  columns?: number;
  /** A page is on its way. */
  loading: boolean;
  /** The last page could not be had. */
  failed: boolean;
  hasMore: boolean;
  onLoadMore: () => unknown;
  /** In place of the list when it is empty. */
  empty: ReactNode;
  /** Said under the last row. */
  endText?: string | undefined;
  /** How far loading had come, beside a failure. */
  failedDetail?: string | undefined;
  renderSkeleton?: () => ReactNode;
};

/** A list of tiles that grows as its end comes near. */
export function InfiniteGrid<T>(props: InfiniteGridProps<T>) {
  const {
    label,
    items,
    keyOf,
    renderItem,
    columns = 3,
    loading,
    failed,
    hasMore,
    onLoadMore,
  } = props;
  const { empty, endText, failedDetail, renderSkeleton = () => <TileSkeleton /> } = props;
  const { t } = useLingui();
  const end = useLoadMore(hasMore && !loading && !failed, onLoadMore);
  const size = columns * blockRows;
  const blocks = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size);
  // The first page shows a screenful of places, a further one a row.
  const blanks = loading ? (items.length === 0 ? columns * 3 : columns) : 0;
  const done = !loading && !failed && !hasMore;
  return (
    <section
      aria-label={label}
      aria-busy={loading}
      className={styles.list}
      style={{ '--columns': columns }}
    >
      {blocks.map((from) => (
        <ul key={from} className={cx(styles.grid, styles.block)}>
          {items.slice(from, from + size).map((item, at) => (
            <li key={keyOf(item)}>{renderItem(item, from + at)}</li>
          ))}
        </ul>
      ))}
      {blanks > 0 && (
        <div className={styles.grid}>
          {Array.from({ length: blanks }, (_, at) => (
            <div key={at}>{renderSkeleton()}</div>
          ))}
        </div>
      )}
      {failed && <ErrorRetry onRetry={onLoadMore} detail={failedDetail} className={styles.state} />}
      {done && items.length === 0 && empty}
      {done && items.length > 0 && endText && <p className={styles.end}>{endText}</p>}
      <p role="status" className={styles.spoken}>
        {loading ? t`Loading` : ''}
      </p>
      <div ref={end} className={styles.sentinel} />
    </section>
  );
}
