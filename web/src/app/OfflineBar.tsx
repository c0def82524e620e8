import { useLingui } from '@lingui/react';
import { useSyncExternalStore } from 'react';

import { errorMessages } from '../i18n/errors.ts';
import { Icon } from '../ui/Icon.tsx';

import styles from './OfflineBar.module.css';

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Says that there is no network, for as long as there is none. */
export function OfflineBar() {
  const { i18n } = useLingui();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {!online && (
        <div className={styles.bar}>
          <Icon name="wifi-slash" size={16} className={styles.icon} />
          {i18n._(errorMessages['network.offline']!)}
        </div>
      )}
    </div>
  );
}
