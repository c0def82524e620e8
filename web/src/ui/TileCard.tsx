import type { ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { Skeleton } from './Skeleton.tsx';
import { Tile, TileSkeleton, type TileProps } from './Tile.tsx';

import styles from './TileCard.module.css';

export type TileCardProps = TileProps & {
  /** What is said about the game: that it is new, say. */
  mark?: string | undefined;
  /** Why it cannot be played now. */
  closed?: string | undefined;
  /** The name as it stands under the picture too, perhaps with parts of it marked. */
  caption?: ReactNode;
};

/** The room for a caption, two lines always: what a list of captioned cards has below its tiles. */
export const captionHeight = '2.8rem';

/** A tile with what a list says about its game. */
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
        // The picture's own link has said the name already.
        <p aria-hidden="true" className={styles.caption} lang={tile.lang} dir="auto">
          {caption}
        </p>
      )}
    </div>
  );
}

/** A card's box before its game is known. */
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
