import type { ReactNode } from 'react';

import styles from './Fields.module.css';

export type FieldRow = { label: string; value: ReactNode };

/** Shows values with their labels. */
export function Fields({ rows }: { rows: readonly FieldRow[] }) {
  return (
    <dl className={styles.fields}>
      {rows.map(({ label, value }) => (
        <div key={label} className={styles.row}>
          <dt>{label}</dt>
          <dd>{value === '' || value === null || value === undefined ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
