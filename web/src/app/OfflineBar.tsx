import { useLingui } from '@lingui/react';
import { onlineManager } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

import { unreachableEvent } from '../api/client.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { Icon } from '../ui/Icon.tsx';

import styles from './OfflineBar.module.css';

/** The delay between a failed request and the first probe. A single failure may be a coincidence. */
const probeDelayMs = 1_000;
const probeIntervalMs = 4_000;
const probeTimeoutMs = 10_000;

const isOnline = () => navigator.onLine && onlineManager.isOnline();

function subscribe(changed: () => void): () => void {
  const unsubscribe = onlineManager.subscribe(changed);
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    unsubscribe();
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/**
 * Probes the server after a failed request, because the browser does not notice a captive portal or a dead access point. Failed queries
 * reload when the server is reachable again.
 */
function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const probe = () =>
    fetch('/wps/system/status', { signal: AbortSignal.timeout(probeTimeoutMs) }).then(
      onReachable,
      onUnreachable,
    );
  function onReachable(): void {
    timer = undefined;
    // The query client and the event stream wait for this event.
    if (isOnline() !== navigator.onLine) dispatchEvent(new Event('online'));
  }
  function onUnreachable(): void {
    if (!timer) return;
    onlineManager.setOnline(false);
    timer = setTimeout(probe, probeIntervalMs);
  }
  const scheduleProbe = () => (timer ??= setTimeout(probe, probeDelayMs));
  addEventListener(unreachableEvent, scheduleProbe);
  return () => {
    clearTimeout(timer);
    timer = undefined;
    removeEventListener(unreachableEvent, scheduleProbe);
  };
}

/** Shows that there is no network, above any dialog. */
export function OfflineBar() {
  const { i18n } = useLingui();
  const online = useSyncExternalStore(subscribe, isOnline);
  useEffect(watchConnection, []);
  return createPortal(
    // Open dialogs hide everything from screen readers except live regions.
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
