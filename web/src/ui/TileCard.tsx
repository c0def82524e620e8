import type { ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { Skeleton } from './Skeleton.tsx';
import { Tile, TileSkeleton, type TileProps } from './Tile.tsx';

import styles from './TileCard.module.css';

export type TileCardProps = TileProps & {
  /** A label such as "New". */
  mark?: string | undefined;
  closed?: string | undefined;
  /** The name below the picture, with search matches marked. */
  caption?: ReactNode;
};

/** Height of a caption, always two lines. */
export const captionHeight = '2.8rem';

export function TileCard({ mark, closed, caption, ...tile }: TileCardProps) {
  return (
    <div className={cx(styles.card, closed !== undefined && styles.closed)}>
      <Tile {...tile} />
      {closed !== undefined ? (
        <span className={styles.reason}>{closed}</span>
      ) : (
        mark !== undefined && <span className={styles.mark}>{mark}</span>
      )}
      {caption !== undefined && (
        // The picture's link already has this name.
        <p aria-hidden="true" className={styles.caption} lang={tile.lang} dir="auto">
          {caption}
        </p>
      )}
    </div>
  );
}

export function TileCardSkeleton() {
  return (
    <div className={styles.card}>
      <TileSkeleton />
      <div className={styles.caption}>
        <Skeleton width="62%" height={12} />
      </div>
    </div>
  );
}
