import { cx } from '../lib/cx.ts';

import styles from './Button.module.css';

export type ButtonLook = {
  variant?: 'primary' | 'secondary' | 'outline' | 'danger' | 'text' | undefined;
  /** lg is 52 high, md 48, sm 36 with a touch area of 44. */
  size?: 'lg' | 'md' | 'sm' | undefined;
  /** Takes the whole line. */
  full?: boolean | undefined;
};

/** A button's look, for links that should look like one. */
export function buttonClass({ variant = 'primary', size = 'lg', full }: ButtonLook = {}): string {
  return cx(styles.button, styles[variant], styles[size], full && styles.full);
}
