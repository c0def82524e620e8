import type { ReactNode } from 'react';

import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { Picture } from './Picture.tsx';

import styles from './Empty.module.css';

export type EmptyProps = {
  title: string;
  /** Why there is nothing, or what to do about it. */
  text?: ReactNode;
  /** A picture 112 px wide; without one the icon stands in a disc. */
  art?: string | undefined;
  icon?: IconName;
  actions?: ReactNode;
};

/** Stands where a list would be when there is nothing in it. */
export function Empty({ title, text, art, icon = 'magnifying-glass', actions }: EmptyProps) {
  const disc = (
    <span className={styles.disc}>
      <Icon name={icon} size={44} />
    </span>
  );
  return (
    <div className={styles.empty}>
      <div className={styles.art}>
        {art ? <Picture src={art} size={112} fallback={disc} /> : disc}
      </div>
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
