import type { ReactNode } from 'react';

import styles from './Gallery.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

/** Examples side by side, with a caption. */
export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.rowBox}>
      <p className={styles.caption}>{label}</p>
      <div className={styles.row}>{children}</div>
    </div>
  );
}

/** A component in some of its states, with its name. */
export function Piece({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.piece}>
      <h3 className={styles.caption}>{name}</h3>
      {children}
    </div>
  );
}
