import { useLingui } from '@lingui/react/macro';
import { startTransition, useCallback, useDeferredValue, useState, type ReactNode } from 'react';

import { ErrorRetry } from './ErrorRetry.tsx';
import { TileSkeleton } from './Tile.tsx';
import { useLoadMore } from './useLoadMore.ts';

import styles from './InfiniteGrid.module.css';

/** In landscape, a phone has this many times as many columns. */
const landscapeFactor = 2;

/** Rows that are laid out together. Larger blocks delay frames; smaller ones need too many observers. */
const blockRows = 2;

/** The number of blocks on the first screen. They load their pictures at once. */
const firstBlocks = 2;

export type InfiniteGridProps<T> = {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  /** `near` is false while the item should not load its picture yet. */
  renderItem: (item: T, index: number, near: boolean) => ReactNode;
  columns?: number;
  loading: boolean;
  failed: boolean;
  hasMore: boolean;
  onLoadMore: () => unknown;
  empty: ReactNode;
  endText?: string | undefined;
  failedDetail?: string | undefined;
  /** The server responded, so the network is not the cause. */
  answered?: boolean | undefined;
  renderSkeleton?: () => ReactNode;
  /** Height of the content below each tile, as a CSS length. Fixes the row height before layout. */
  below?: string;
};

export function InfiniteGrid<T>(props: InfiniteGridProps<T>) {
  const { label, keyOf, renderItem, columns = 3, failed, hasMore, onLoadMore } = props;
  const { empty, endText, failedDetail, answered, below = '0px' } = props;
  const { renderSkeleton = () => <TileSkeleton /> } = props;
  const { t } = useLingui();
  // Renders a new page at low priority, so scrolling stays smooth.
  const deferred = useDeferredValue(props.items);
  const items = isExtended(deferred, props.items, keyOf) ? deferred : props.items;
  const loading = props.loading || items !== props.items;
  const end = useLoadMore(hasMore && !loading && !failed, onLoadMore);
  const size = columns * blockRows;
  const blocks = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size);
  const skeletonCount = loading ? (items.length === 0 ? columns * 3 : columns) : 0;
  const isComplete = !loading && !failed && !hasMore;
  return (
    <section
      aria-label={label}
      aria-busy={loading}
      className={styles.list}
      style={{ '--upright': columns, '--wide': columns * landscapeFactor, '--below': below }}
    >
      {items.length > 0 && (
        // Screen readers get a single list without the blocks.
        <div role="list" className={styles.blocks}>
          {blocks.map((from, block) => {
            const blockItems = items.slice(from, from + size);
            const rows = Math.ceil(blockItems.length / columns);
            return (
              <Block key={from} rows={rows} first={block < firstBlocks}>
                {(near) =>
                  blockItems.map((item, at) => (
                    <div key={keyOf(item)} role="listitem">
                      {renderItem(item, from + at, near)}
                    </div>
                  ))
                }
              </Block>
            );
          })}
        </div>
      )}
      {skeletonCount > 0 && (
        <div className={styles.blanks}>
          {Array.from({ length: skeletonCount }, (_, at) => (
            <div key={at}>{renderSkeleton()}</div>
          ))}
        </div>
      )}
      {failed && (
        <ErrorRetry
          onRetry={onLoadMore}
          detail={failedDetail}
          answered={answered}
          className={styles.state}
        />
      )}
      {isComplete && items.length === 0 && empty}
      {isComplete && items.length > 0 && endText && <p className={styles.end}>{endText}</p>}
      <p role="status" className={styles.visuallyHidden}>
        {loading ? t`Loading` : ''}
      </p>
      <div ref={end} className={styles.sentinel} />
    </section>
  );
}

function isExtended<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): boolean {
  const [oldFirst, newFirst] = [before[0], after[0]];
  return (
    after.length > before.length && !!oldFirst && !!newFirst && keyOf(oldFirst) === keyOf(newFirst)
  );
}

type BlockProps = { rows: number; first: boolean; children: (near: boolean) => ReactNode };

/** The number of blocks beyond the visible ones that load their pictures. */
const preloadBlocks = 2;

function Block({ rows, first, children }: BlockProps) {
  const isSupported = typeof ContentVisibilityAutoStateChangeEvent !== 'undefined';
  const [near, setNear] = useState(first || !isSupported);
  const watch = useCallback((block: HTMLDivElement) => {
    const abort = new AbortController();
    const onChange = (event: Event) => {
      if ((event as ContentVisibilityAutoStateChangeEvent).skipped) return;
      let current: Element | null = block;
      for (let at = 0; current && at <= preloadBlocks; at += 1) {
        current.dispatchEvent(new Event('near'));
        current = current.nextElementSibling;
      }
    };
    const { signal } = abort;
    block.addEventListener('contentvisibilityautostatechange', onChange, { signal });
    block.addEventListener('near', () => startTransition(() => setNear(true)), { signal });
    return () => abort.abort();
  }, []);
  return (
    <div
      ref={watch}
      className={styles.block}
      style={{ '--rows': rows, '--wide-rows': Math.ceil(rows / landscapeFactor) }}
    >
      {children(near)}
    </div>
  );
}
