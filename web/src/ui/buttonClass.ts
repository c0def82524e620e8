import { cx } from '../lib/cx.ts';

import styles from './Button.module.css';

export type ButtonLook = {
  variant?: 'primary' | 'secondary' | 'outline' | 'danger' | 'text' | undefined;
  /** Height in pixels: lg is 52, md 48, sm 36 with a touch area of 44. */
  size?: 'lg' | 'md' | 'sm' | undefined;
  full?: boolean | undefined;
};

export function buttonClass({ variant = 'primary', size = 'lg', full }: ButtonLook = {}): string {
  return cx(styles.button, styles[variant], styles[size], full && styles.full);
}
