import { cx } from '../lib/cx.ts';

import styles from './Badge.module.css';

const most = 99;

/** A count that wants attention; above 99 it says 99+, at zero it is not there. */
export function Badge({ count, className }: { count: number; className?: string | undefined }) {
  if (!(count > 0)) return null;
  return (
    <bdi dir="ltr" className={cx(styles.badge, className)}>
      {count > most ? `${most}+` : count}
    </bdi>
  );
}
