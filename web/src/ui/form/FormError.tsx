import { Icon } from '../Icon.tsx';

import styles from './FormError.module.css';

/** A form's error that belongs to no single field. */
export function FormError({ text, more }: { text: string; more?: string | undefined }) {
  return (
    <div role="alert" className={styles.alert}>
      {text && (
        <div className={styles.failure}>
          <Icon name="warning-circle-fill" size={20} className={styles.mark} />
          <div>
            {text}
            {more && <p className={styles.more}>{more}</p>}
          </div>
        </div>
      )}
    </div>
  );
}
