import { useState, type ReactNode } from 'react';

import { artUrl } from '../../lib/art.ts';
import { tileSet } from '../../lib/tile-art.ts';

/** Available offline: the service worker caches it. */
const defaultArt = artUrl('tiles/default.webp');

export type ThumbProps = {
  /** Empty: shows the default picture. */
  art: string;
  width: number;
  height: number;
  className?: string | undefined;
  /** Replaces the default picture. */
  fallback?: ReactNode;
  lazy?: boolean | undefined;
};

/** A game's small picture. Its name must appear next to it. */
export function Thumb({ art, width, height, className, fallback, lazy }: ThumbProps) {
  const [failedArt, setFailedArt] = useState<string | null>(null);
  const hasArt = art !== '' && failedArt !== art;
  if (!hasArt && fallback !== undefined) return fallback;
  const source = hasArt ? art : defaultArt;
  return (
    <img
      // A new element, so that the previous picture is never shown for this game.
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
      onError={() => setFailedArt(art)}
      className={className}
    />
  );
}
