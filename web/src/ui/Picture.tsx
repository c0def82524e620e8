import { useState, type ReactNode } from 'react';

export type PictureProps = {
  src: string;
  /** Edge in pixels; of one that is no square, its width. */
  size: number;
  height?: number | undefined;
  className?: string | undefined;
  /** Stands in its place where it cannot be had, say without a network; without one the place is kept empty. */
  fallback?: ReactNode;
  /** Far down the page: fetched when it comes near. */
  lazy?: boolean | undefined;
};

/** A picture that decorates what stands beside it, and never shows as a broken one. */
export function Picture({ src, size, height = size, className, fallback, lazy }: PictureProps) {
  const [missing, setMissing] = useState<string | null>(null);
  if (missing === src) {
    const place = <span className={className} style={{ inlineSize: size, blockSize: height }} />;
    return fallback ?? place;
  }
  return (
    <img
      src={src}
      width={size}
      height={height}
      alt=""
      className={className}
      loading={lazy ? 'lazy' : undefined}
      decoding={lazy ? 'async' : undefined}
      onError={() => setMissing(src)}
    />
  );
}
