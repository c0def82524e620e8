import { useLingui } from '@lingui/react';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

import { errorMessage } from '../i18n/error-message.ts';
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

/** Says that there is no network, for as long as there is none, whatever lies over the screen. */
export function OfflineBar() {
  const { i18n } = useLingui();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return createPortal(
    // Menus and dialogs hide all from screen readers but what says `aria-live`.
    <div role="status" aria-live="polite" className={online ? undefined : styles.bar}>
      {!online && (
        <>
          <Icon name="wifi-slash" size={16} className={styles.icon} />
          {i18n._(errorMessage('network.offline')!)}
        </>
      )}
    </div>,
    document.body,
  );
}
