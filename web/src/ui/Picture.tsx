import { useState, type ReactNode } from 'react';

export type PictureProps = {
  src: string;
  /** Width in pixels, and height unless given. */
  size: number;
  height?: number | undefined;
  className?: string | undefined;
  /** Shown when the picture fails to load. Without it the space stays empty. */
  fallback?: ReactNode;
  lazy?: boolean | undefined;
};

/** A decorative picture that never shows as broken. */
export function Picture({ src, size, height = size, className, fallback, lazy }: PictureProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  if (failedSrc === src) {
    const placeholder = (
      <span className={className} style={{ inlineSize: size, blockSize: height }} />
    );
    return fallback ?? placeholder;
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
      onError={() => setFailedSrc(src)}
    />
  );
}
