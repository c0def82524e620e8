import type { MouseEvent, Ref } from 'react';

import { cx } from '../lib/cx.ts';
import { Badge, badgeText } from './Badge.tsx';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { Spinner } from './Spinner.tsx';

import styles from './IconButton.module.css';

export type IconButtonProps = {
  icon: IconName;
  label: string;
  onPress?: ((event: MouseEvent<HTMLButtonElement>) => void) | undefined;
  variant?: 'plain' | 'surface' | 'brand' | 'art';
  iconSize?: number;
  pressed?: boolean | undefined;
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  badge?: number | undefined;
  className?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

// The touch area is always 44 × 44.
export function IconButton(props: IconButtonProps) {
  const { icon, label, onPress, variant = 'plain', pressed, busy, disabled, badge, ref } = props;
  const iconSize = props.iconSize ?? (variant === 'art' ? 15 : variant === 'plain' ? 22 : 18);
  const count = badgeText(badge ?? 0);
  return (
    <button
      ref={ref}
      type="button"
      aria-label={count ? `${label}, ${count}` : label}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={busy ? undefined : onPress}
      className={cx(styles.button, styles[variant], props.className)}
    >
      <span className={styles.face}>
        {busy ? <Spinner size={iconSize} /> : <Icon name={icon} size={iconSize} />}
      </span>
      {badge !== undefined && <Badge count={badge} className={styles.badge} />}
    </button>
  );
}
