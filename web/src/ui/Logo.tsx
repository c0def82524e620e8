import { cx } from '../lib/cx.ts';

import styles from './Logo.module.css';

export type LogoProps = {
  /** In pixels. */
  size?: number;
  className?: string | undefined;
};

/** The product's mark. It is decoration: the name must appear next to it or in a label. */
export function Logo({ size = 36, className }: LogoProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 36 36"
      width={size}
      height={size}
      className={cx(styles.logo, className)}
      fill="currentColor"
    >
      <path d="M18 5.6Q19.5 16.5 30.4 18 19.5 19.5 18 30.4 16.5 19.5 5.6 18 16.5 16.5 18 5.6Z" />
      <circle cx="27" cy="9.5" r="2.2" />
    </svg>
  );
}
