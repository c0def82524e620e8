import { cx } from '../lib/cx.ts';

import styles from './Badge.module.css';

const maxCount = 99;

export function badgeText(count: number): string {
  if (!(count > 0)) return '';
  return count > maxCount ? `${maxCount}+` : String(count);
}

/** A count, capped at 99+. Renders nothing for zero. */
export function Badge({ count, className }: { count: number; className?: string | undefined }) {
  const text = badgeText(count);
  return text === '' ? null : (
    <bdi dir="ltr" className={cx(styles.badge, className)}>
      {text}
    </bdi>
  );
}
