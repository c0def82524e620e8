import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { Picture } from './Picture.tsx';

import styles from './Avatar.module.css';

export type AvatarProps = {
  /** Empty where none was chosen, or while it is fetched. */
  src: string;
  /** Edge in pixels. */
  size: number;
  className?: string | undefined;
};

/** A member's picture, or a figure in its place. */
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
