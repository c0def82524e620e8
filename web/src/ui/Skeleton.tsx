import type { CSSProperties } from 'react';

import { cx } from '../lib/cx.ts';

import styles from './Skeleton.module.css';

export type SkeletonProps = {
  /** The size of the content, so that nothing moves when it loads. */
  width?: CSSProperties['inlineSize'];
  height?: CSSProperties['blockSize'];
  shape?: 'line' | 'box' | 'circle';
  className?: string | undefined;
};

/** A loading placeholder. It is silent: the container must announce loading. */
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
