import { Icon } from '../Icon.tsx';

import styles from './FormError.module.css';

/** Why a form was refused, above its fields, where no single field is to blame. Without words it takes no room. */
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
