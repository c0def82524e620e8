import { cx } from '../lib/cx.ts';

import styles from './Badge.module.css';

const most = 99;

/** What a badge says: nothing at zero, 99+ above 99. */
export function badgeText(count: number): string {
  if (!(count > 0)) return '';
  return count > most ? `${most}+` : String(count);
}

/** A count that wants attention; above 99 it says 99+, at zero it is not there. */
export function Badge({ count, className }: { count: number; className?: string | undefined }) {
  const text = badgeText(count);
  return text === '' ? null : (
    <bdi dir="ltr" className={cx(styles.badge, className)}>
      {text}
    </bdi>
  );
}
