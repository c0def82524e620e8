import { useRef, useState, type MouseEvent, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { usePress } from '../lib/press.ts';
import { opensElsewhere } from '../lib/router.tsx';
import { tileSet } from '../lib/tile-art.ts';
import { Skeleton } from './Skeleton.tsx';

import styles from './Tile.module.css';

const defaultArt = `${import.meta.env.BASE_URL}art/tiles/default.webp`;

export type TileProps = {
  name: string;
  /** The name's language, if it differs from the member's. */
  lang?: string | undefined;
  /** Empty while the picture should not load yet. */
  art: string;
  vendor?: string | undefined;
  href: string;
  /** Starts the game. Clicks that open another tab are left to the browser. */
  onLaunch?: (() => void) | undefined;
  /** The control in the top end corner. A long press on the tile presses it. */
  corner?: ReactNode;
  /** Loads the picture at once, with high priority. */
  eager?: boolean | undefined;
  /** The image's `sizes`; by default for three columns. */
  sizes?: string | undefined;
  className?: string | undefined;
};

export function Tile(props: TileProps) {
  const { name, lang, art, vendor, href, onLaunch, corner, eager, className } = props;
  const { sizes = 'min(28.9vw,142px)' } = props;
  // A picture that was deferred loads at once when it is set.
  const [wasDeferred] = useState(!art);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const cornerBox = useRef<HTMLDivElement>(null);
  const { pressed, handlers } = usePress(() => cornerBox.current?.querySelector('button')?.click());
  const source = [art, defaultArt].find((src) => !failed.includes(src));

  function handleClick(event: MouseEvent): void {
    if (!onLaunch || opensElsewhere(event)) return;
    event.preventDefault();
    onLaunch();
  }

  return (
    <article className={cx(styles.tile, pressed && styles.pressed, className)}>
      <a href={href} onClick={handleClick} className={styles.link} draggable={false} {...handlers}>
        {source !== undefined && (
          <img
            sizes={sizes}
            srcSet={tileSet(source)}
            src={source || undefined}
            width={360}
            height={480}
            alt=""
            draggable={false}
            decoding="async"
            loading={eager || wasDeferred ? 'eager' : 'lazy'}
            fetchPriority={eager ? 'high' : 'auto'}
            onError={() => setFailed([...failed, source])}
            className={styles.art}
          />
        )}
        <span className={styles.name} lang={lang} dir="auto">
          <span className={cx(styles.letters, name.length > 16 && styles.long)}>{name}</span>
        </span>
      </a>
      {vendor && (
        <span
          style={isLong(vendor) ? { maxInlineSize: twoLineWidth } : undefined}
          className={styles.vendor}
        >
          <span dir="auto">{vendor}</span>
        </span>
      )}
      {corner && (
        <div ref={cornerBox} className={styles.corner}>
          {corner}
        </div>
      )}
    </article>
  );
}

/** Reports whether a vendor's name needs two lines on a narrow tile and can break between words. */
const isLong = (vendor: string) => vendor.length > 11 && !/\S{9}/.test(vendor);

/** The width at which such a name breaks into two lines. On a wide tile it fits on one line. */
const twoLineWidth = 'min(100% - 39px, max(4.9em + 8px, (var(--tile-w) - 118px) * 99))';

export function TileSkeleton() {
  return (
    <div aria-hidden="true" className={styles.blank}>
      <Skeleton width="38%" height={18} />
      <Skeleton width="70%" height={10} className={styles.blankName} />
      <Skeleton width="38%" height={10} className={styles.blankLine} />
    </div>
  );
}

/** Reserves the space of a tile that is rendered later. */
export function TilePlaceholder() {
  return <div aria-hidden="true" className={styles.blank} />;
}
