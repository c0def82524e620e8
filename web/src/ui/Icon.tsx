import { cx } from '../lib/cx.ts';
import sprite from './icons.svg';
import type { IconName } from './icons.ts';
import { mirroredIcons } from './mirroredIcons.ts';

import styles from './Icon.module.css';

export type IconProps = {
  name: IconName;
  /** In pixels. */
  size?: number;
  className?: string | undefined;
};

// Icons are decoration: a label must carry the meaning.
export function Icon({ name, size = 22, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      className={cx(styles.icon, mirroredIcons.has(name) && styles.mirrored, className)}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
