import { useLingui } from '@lingui/react';
import { onlineManager } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

import { unreached } from '../api/client.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { Icon } from '../ui/Icon.tsx';

import styles from './OfflineBar.module.css';

/** A call that got through nowhere may have been bad luck: the next one after this is not. */
const grace = 1_000;
/** How often a lost network is looked for. */
const interval = 4_000;
/** A line that is this slow is none. */
const patience = 10_000;

const isOnline = () => navigator.onLine && onlineManager.isOnline();

function subscribe(changed: () => void): () => void {
  const forget = onlineManager.subscribe(changed);
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    forget();
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/**
 * Finds out, once calls get nowhere, whether the network is lost although the browser knows of none: a hotel's login,
 * a dead access point. Whatever failed meanwhile is loaded again when it is back.
 */
function watch(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () =>
    fetch('/wps/system/status', { signal: AbortSignal.timeout(patience) }).then(found, lost);
  function found(): void {
    timer = undefined;
    // As the browser would have said it: parts of the app, and the event stream, wait for that word.
    if (isOnline() !== navigator.onLine) dispatchEvent(new Event('online'));
  }
  function lost(): void {
    if (!timer) return;
    onlineManager.setOnline(false);
    timer = setTimeout(look, interval);
  }
  const doubt = () => (timer ??= setTimeout(look, grace));
  addEventListener(unreached, doubt);
  return () => {
    clearTimeout(timer);
    timer = undefined;
    removeEventListener(unreached, doubt);
  };
}

/** Says that there is no network, for as long as there is none, whatever lies over the screen. */
export function OfflineBar() {
  const { i18n } = useLingui();
  const online = useSyncExternalStore(subscribe, isOnline);
  useEffect(watch, []);
  return createPortal(
    // Menus and dialogs hide all from screen readers but what says `aria-live`.
    <div role="status" aria-live="polite" className={online ? undefined : styles.bar}>
      {!online && (
        <>
          <Icon name="wifi-slash" size={12} />
          {i18n._(errorMessage('network.offline')!)}
        </>
      )}
    </div>,
    document.body,
  );
}
