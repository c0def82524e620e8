import type { ReactNode } from 'react';

import styles from './PageTransition.module.css';

/** Fades a page in. A new `screen` value starts a new page. */
export function PageTransition({ screen, children }: { screen: string; children: ReactNode }) {
  return (
    <div key={screen} className={styles.page}>
      {children}
    </div>
  );
}
