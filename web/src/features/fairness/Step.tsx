import type { ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';

import styles from './Step.module.css';

export type StepProps = { number: number; title: string; note?: ReactNode; children: ReactNode };

export function Step({ number, title, note, children }: StepProps) {
  return (
    <li className={styles.step}>
      <span aria-hidden="true" className={styles.number}>
        {number}
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {note}
        </div>
        {children}
      </div>
    </li>
  );
}

export function Note({ icon, bad, children }: { icon: IconName; bad?: boolean; children: string }) {
  return (
    <span className={cx(styles.note, bad && styles.bad)}>
      <Icon name={icon} size={16} />
      {children}
    </span>
  );
}
