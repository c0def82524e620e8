import type { CSSProperties } from 'react';

import { cx } from '../lib/cx.ts';

import styles from './Skeleton.module.css';

export type SkeletonProps = {
  /** Any CSS length; give the size of what will stand here, so that nothing moves when it comes. */
  width?: CSSProperties['inlineSize'];
  height?: CSSProperties['blockSize'];
  shape?: 'line' | 'box' | 'circle';
  className?: string | undefined;
};

/** Keeps the place of something that is loading. The list around it says so to screen readers. */
export function Skeleton({
  width = '100%',
  height = 12,
  shape = 'line',
  className,
}: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={cx(styles.skeleton, styles[shape], className)}
      style={{ inlineSize: width, blockSize: height }}
    />
  );
}
