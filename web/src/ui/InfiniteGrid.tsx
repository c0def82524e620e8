import { useLingui } from '@lingui/react/macro';
import { startTransition, useCallback, useDeferredValue, useState, type ReactNode } from 'react';

import { ErrorRetry } from './ErrorRetry.tsx';
import { TileSkeleton } from './Tile.tsx';
import { useLoadMore } from './useLoadMore.ts';

import styles from './InfiniteGrid.module.css';

/** So many times the columns where a phone lies on its side. */
const wider = 2;

/**
 * Rows that appear and disappear together: what is far from the screen is not laid out. Larger blocks hold a frame up as
 * they come in; of smaller ones there are so many that to watch them costs every frame.
 */
const blockRows = 2;

/** Blocks on the screen at once: their pictures do not wait. */
const firstBlocks = 2;

export type InfiniteGridProps<T> = {
  /** What the list holds, for screen readers. */
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  /** Until it is near, an item asks for no picture: the browser would watch each in every frame. */
  renderItem: (item: T, index: number, near: boolean) => ReactNode;
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
  /** The server did answer: it is not the network that failed. */
  answered?: boolean | undefined;
  renderSkeleton?: () => ReactNode;
  /** What stands under each tile, as a CSS length: a row's height is known before anything in it is laid out. */
  below?: string;
};

/** A list of tiles that grows as its end comes near. */
export function InfiniteGrid<T>(props: InfiniteGridProps<T>) {
  const { label, keyOf, renderItem, columns = 3, failed, hasMore, onLoadMore } = props;
  const { empty, endText, failedDetail, answered, below = '0px' } = props;
  const { renderSkeleton = () => <TileSkeleton /> } = props;
  const { t } = useLingui();
  // A page that came while the list is scrolled is made piece by piece; until it stands it is still on its way.
  const before = useDeferredValue(props.items);
  const items = grown(before, props.items, keyOf) ? before : props.items;
  const loading = props.loading || items !== props.items;
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
      style={{ '--upright': columns, '--wide': columns * wider, '--below': below }}
    >
      {items.length > 0 && (
        // One list to whoever hears it: the blocks are only for the eye.
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

/** Whether a list is the one that was there, with more at its end. Another one is shown at once. */
function grown<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): boolean {
  const [old, first] = [before[0], now[0]];
  return now.length > before.length && !!old && !!first && keyOf(old) === keyOf(first);
}

type BlockProps = { rows: number; first: boolean; children: (near: boolean) => ReactNode };

/** Blocks whose pictures are fetched before they are laid out themselves: such a picture comes without any paint. */
const ahead = 2;

/** Some rows, which know whether they have been near the screen. */
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
