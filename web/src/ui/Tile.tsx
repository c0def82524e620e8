import { useRef, useState, type MouseEvent, type ReactNode } from 'react';

import { cx } from '../lib/cx.ts';
import { usePress } from '../lib/press.ts';
import { opensElsewhere } from '../lib/router.tsx';
import { tileSet } from '../lib/tile-art.ts';
import { Skeleton } from './Skeleton.tsx';

import styles from './Tile.module.css';

/** Shown where a game's own picture cannot be had. */
const defaultArt = `${import.meta.env.BASE_URL}art/tiles/default.webp`;

export type TileProps = {
  name: string;
  /** What the name is written in, where that is not the member's language. */
  lang?: string | undefined;
  /** Empty where the picture is not to be fetched yet. */
  art: string;
  /** The vendor's display name. */
  vendor?: string | undefined;
  href: string;
  /** Starts the game. A press that asks for another tab is the browser's. */
  onLaunch?: (() => void) | undefined;
  /** The star button, or whatever stands at the upper end corner. A finger that rests on the tile presses it. */
  corner?: ReactNode;
  /** Above the fold: fetched at once, before other pictures. */
  eager?: boolean | undefined;
  /** How wide it is, as the browser is told before anything is laid out; without it as in three columns. */
  sizes?: string | undefined;
  className?: string | undefined;
};

/** A game as a picture with its name. Always 3:4, whether its picture is there or not. */
export function Tile(props: TileProps) {
  const { name, lang, art, vendor, href, onLaunch, corner, eager, className } = props;
  const { sizes = 'min(28.9vw,142px)' } = props;
  // Whoever held the picture back knows when it is time.
  const [held] = useState(!art);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const cornerBox = useRef<HTMLDivElement>(null);
  const { pressed, handlers } = usePress(() => cornerBox.current?.querySelector('button')?.click());
  const source = [art, defaultArt].find((one) => !missing.includes(one));

  function press(event: MouseEvent): void {
    if (!onLaunch || opensElsewhere(event)) return;
    event.preventDefault();
    onLaunch();
  }

  return (
    <article className={cx(styles.tile, pressed && styles.pressed, className)}>
      <a href={href} onClick={press} className={styles.link} draggable={false} {...handlers}>
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
            loading={eager || held ? 'eager' : 'lazy'}
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
        <span
          style={isLong(vendor) ? { maxInlineSize: twoLines } : undefined}
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

/** Whether a vendor's name takes two lines on a narrow tile, and breaks between words. */
const isLong = (vendor: string) => vendor.length > 11 && !/\S{9}/.test(vendor);

/** How wide two such lines are; a tile that is wide enough holds the name in one. */
const twoLines = 'min(100% - 39px, max(4.9em + 8px, (var(--tile-w) - 118px) * 99))';

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
