import { useLingui } from '@lingui/react/macro';
import { startTransition, useCallback, useDeferredValue, useState, type ReactNode } from 'react';

import { ErrorRetry } from './ErrorRetry.tsx';
import { TileSkeleton } from './Tile.tsx';
import { useLoadMore } from './useLoadMore.ts';

import styles from './InfiniteGrid.module.css';

/** A landscape phone has this many times the columns. */
const wider = 2;

/** Rows that are laid out together. Larger blocks delay frames; smaller ones need too many observers. */
const blockRows = 2;

/** Blocks on the first screen. They load their pictures at once. */
const firstBlocks = 2;

export type InfiniteGridProps<T> = {
  /** The accessible name. */
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  /** `near` is false while the item should not load its picture yet. */
  renderItem: (item: T, index: number, near: boolean) => ReactNode;
  columns?: number;
  loading: boolean;
  /** The last page failed to load. */
  failed: boolean;
  hasMore: boolean;
  onLoadMore: () => unknown;
  /** Replaces an empty list. */
  empty: ReactNode;
  /** Shown after the last row. */
  endText?: string | undefined;
  /** How much was loaded before the failure. */
  failedDetail?: string | undefined;
  /** The server responded, so the network is not the cause. */
  answered?: boolean | undefined;
  renderSkeleton?: () => ReactNode;
  /** Height of the content below each tile, as a CSS length. Fixes the row height before layout. */
  below?: string;
};

/** A grid that loads its next page near the end. */
export function InfiniteGrid<T>(props: InfiniteGridProps<T>) {
  const { label, keyOf, renderItem, columns = 3, failed, hasMore, onLoadMore } = props;
  const { empty, endText, failedDetail, answered, below = '0px' } = props;
  const { renderSkeleton = () => <TileSkeleton /> } = props;
  const { t } = useLingui();
  // Renders a new page at low priority, so scrolling stays smooth.
  const before = useDeferredValue(props.items);
  const items = grown(before, props.items, keyOf) ? before : props.items;
  const loading = props.loading || items !== props.items;
  const end = useLoadMore(hasMore && !loading && !failed, onLoadMore);
  const size = columns * blockRows;
  const blocks = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size);
  const blanks = loading ? (items.length === 0 ? columns * 3 : columns) : 0;
  const done = !loading && !failed && !hasMore;
  return (
    <section
      aria-label={label}
      aria-busy={loading}
      className={styles.list}
      style={{ '--upright': columns, '--wide': columns * wider, '--below': below }}
    >
      {items.length > 0 && (
        // Screen readers get a single list without the blocks.
        <div role="list" className={styles.blocks}>
          {blocks.map((from, block) => {
            const some = items.slice(from, from + size);
            const rows = Math.ceil(some.length / columns);
            return (
              <Block key={from} rows={rows} first={block < firstBlocks}>
                {(near) =>
                  some.map((item, at) => (
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
      {blanks > 0 && (
        <div className={styles.blanks}>
          {Array.from({ length: blanks }, (_, at) => (
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
      {done && items.length === 0 && empty}
      {done && items.length > 0 && endText && <p className={styles.end}>{endText}</p>}
      <p role="status" className={styles.spoken}>
        {loading ? t`Loading` : ''}
      </p>
      <div ref={end} className={styles.sentinel} />
    </section>
  );
}

/** Reports whether the list grew at its end. A different list is not deferred. */
function grown<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): boolean {
  const [old, first] = [before[0], now[0]];
  return now.length > before.length && !!old && !!first && keyOf(old) === keyOf(first);
}

type BlockProps = { rows: number; first: boolean; children: (near: boolean) => ReactNode };

/** Blocks ahead of the screen that load their pictures. */
const ahead = 2;

function Block({ rows, first, children }: BlockProps) {
  const told = typeof ContentVisibilityAutoStateChangeEvent !== 'undefined';
  const [near, setNear] = useState(first || !told);
  const watch = useCallback((block: HTMLDivElement) => {
    const over = new AbortController();
    const look = (event: Event) => {
      if ((event as ContentVisibilityAutoStateChangeEvent).skipped) return;
      let each: Element | null = block;
      for (let at = 0; each && at <= ahead; at += 1) {
        each.dispatchEvent(new Event('near'));
        each = each.nextElementSibling;
      }
    };
    const { signal } = over;
    block.addEventListener('contentvisibilityautostatechange', look, { signal });
    block.addEventListener('near', () => startTransition(() => setNear(true)), { signal });
    return () => over.abort();
  }, []);
  return (
    <div
      ref={watch}
      className={styles.block}
      style={{ '--rows': rows, '--wide-rows': Math.ceil(rows / wider) }}
    >
      {children(near)}
    </div>
  );
}
