import { useState, type MouseEvent, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { usePress } from '../lib/press.ts';
import { Skeleton } from './Skeleton.tsx';

import styles from './Tile.module.css';

/** Shown where a game's own picture cannot be had. */
const defaultArt = `${import.meta.env.BASE_URL}art/tiles/default.webp`;

export type TileProps = {
  name: string;
  /** What the name is written in, where that is not the member's language. */
  lang?: string | undefined;
  art: string;
  /** The vendor's display name. */
  vendor?: string | undefined;
  href: string;
  onPress?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined;
  onLongPress?: (() => void) | undefined;
  /** The star button, or whatever stands at the upper end corner. */
  corner?: ReactNode;
  /** Above the fold: fetched at once, before other pictures. */
  eager?: boolean | undefined;
  className?: string | undefined;
};

/** A game as a picture with its name. Always 3:4, whether its picture is there or not. */
export function Tile(props: TileProps) {
  const { name, lang, art, vendor, href, onPress, onLongPress, corner, eager, className } = props;
  const [missing, setMissing] = useState<readonly string[]>([]);
  const { pressed, handlers } = usePress(onLongPress);
  const source = [art, defaultArt].find((one) => !missing.includes(one));
  return (
    <article className={cx(styles.tile, pressed && styles.pressed, className)}>
      <a href={href} onClick={onPress} className={styles.link} draggable={false} {...handlers}>
        {source && (
          <img
            src={source}
            width={360}
            height={480}
            alt=""
            draggable={false}
            decoding="async"
            loading={eager ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : 'auto'}
            onError={() => setMissing([...missing, source])}
            className={styles.art}
          />
        )}
        <span className={styles.name} lang={lang} dir="auto">
          <span className={cx(styles.letters, name.length > 16 && styles.long)}>{name}</span>
        </span>
      </a>
      {vendor && (
        <span className={styles.vendor} dir="auto">
          {vendor}
        </span>
      )}
      {corner && <div className={styles.corner}>{corner}</div>}
    </article>
  );
}

/** A tile's box before its game is known. */
export function TileSkeleton() {
  return (
    <div aria-hidden="true" className={styles.blank}>
      <Skeleton width="38%" height={18} />
      <Skeleton width="70%" height={10} className={styles.blankName} />
      <Skeleton width="38%" height={10} className={styles.blankLine} />
    </div>
  );
}

/** A tile's place, kept while what is before it is made. */
export function TilePlace() {
  return <div aria-hidden="true" className={styles.blank} />;
}
