import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { Picture } from './Picture.tsx';

import styles from './Avatar.module.css';

export type AvatarProps = {
  /** Empty: shows the user icon. */
  src: string;
  /** Edge in pixels. */
  size: number;
  className?: string | undefined;
};

export function Avatar({ src, size, className }: AvatarProps) {
  const figure = <Icon name="user" size={Math.round(size / 2)} />;
  return (
    <span className={cx(styles.avatar, className)} style={{ inlineSize: size, blockSize: size }}>
      {src ? (
        <Picture src={src} size={size} className={styles.picture} fallback={figure} />
      ) : (
        figure
      )}
    </span>
  );
}
