import { useState, type ReactNode } from 'react';

import { artUrl } from '../../lib/art.ts';
import { tileSet } from '../../lib/tile-art.ts';

/** Kept by the worker, so that it is there without a network too. */
const defaultArt = artUrl('tiles/default.webp');

export type ThumbProps = {
  /** The game's picture; none is as one that cannot be had. */
  art: string;
  width: number;
  height: number;
  className?: string | undefined;
  /** Stands in its place where it cannot be had; without one it is the default picture. */
  fallback?: ReactNode;
  /** Far down the page: fetched when it comes near. */
  lazy?: boolean | undefined;
};

/** A game in a small place. It has its name beside it. */
export function Thumb({ art, width, height, className, fallback, lazy }: ThumbProps) {
  const [missing, setMissing] = useState<string | null>(null);
  const has = art !== '' && missing !== art;
  if (!has && fallback !== undefined) return fallback;
  const source = has ? art : defaultArt;
  return (
    <img
      // Another picture begins anew: the one before it is never seen in its place.
      key={source}
      sizes={`${width}px`}
      srcSet={tileSet(source)}
      src={source}
      width={width}
      height={height}
      alt=""
      draggable={false}
      decoding="async"
      loading={lazy ? 'lazy' : undefined}
      onError={() => setMissing(art)}
      className={className}
    />
  );
}
