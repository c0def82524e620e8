import type { ReactNode } from 'react';

import styles from './PageTransition.module.css';

/** Lets a screen come in within 300 ms. A new `screen` is a new page; the same one stays as it is. */
export function PageTransition({ screen, children }: { screen: string; children: ReactNode }) {
  return (
    <div key={screen} className={styles.page}>
      {children}
    </div>
  );
}
