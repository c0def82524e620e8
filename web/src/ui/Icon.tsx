import { cx } from '../lib/cx.ts';
import sprite from './icons.svg';
import type { IconName } from './icons.ts';
import { pointingIcons } from './pointing.ts';

import styles from './Icon.module.css';

export type IconProps = {
  name: IconName;
  /** Edge in pixels. */
  size?: number;
  className?: string | undefined;
};

// An icon is decoration: whatever it says is also said by a label beside it.
export function Icon({ name, size = 22, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      className={cx(styles.icon, pointingIcons.has(name) && styles.pointing, className)}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
