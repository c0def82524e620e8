import type { ReactNode } from 'react';

import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import { Picture } from './Picture.tsx';

import styles from './Empty.module.css';

export type EmptyProps = {
  title: string;
  text?: ReactNode;
  art?: string | undefined;
  icon?: IconName;
  actions?: ReactNode;
};

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
