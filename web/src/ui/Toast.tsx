import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { Spinner } from './Spinner.tsx';
import { toast, useToastStore, type ToastItem, type ToastText } from './toastStore.ts';

import styles from './Toast.module.css';

const fadeMs = 200;

export function ToastViewport() {
  const current = useToastStore((state) => state.current);
  const fading = useFading(current);
  const error = current?.kind === 'error' ? current : null;
  const other = current && !error ? current : null;
  return createPortal(
    <>
      {current?.blocking && <div className={styles.blocker} data-testid="toast-blocker" />}
      {/* Both regions stay mounted: screen readers often skip a new live region. */}
      <div className={styles.viewport}>
        <div role="status" aria-live="polite">
          {other && <ToastCard key={other.id} item={other} />}
        </div>
        <div role="alert" aria-live="assertive">
          {error && <ToastCard key={error.id} item={error} />}
        </div>
        {fading && (
          <div aria-hidden="true" className={styles.leaving} inert>
            <ToastCard item={fading} />
          </div>
        )}
      </div>
    </>,
    // Outside the app's root: open dialogs hide it from screen readers, except live regions.
    document.body,
  );
}

// Keeps the last toast during its fade.
function useFading(current: ToastItem | null): ToastItem | null {
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  useEffect(() => {
    if (current || !last) return;
    const timer = setTimeout(() => setLast(null), fadeMs);
    return () => clearTimeout(timer);
  }, [current, last]);
  return current ? null : last;
}

function ToastCard({ item }: { item: ToastItem }) {
  const { t, i18n } = useLingui();
  const translate = (text: ToastText) => (typeof text === 'string' ? text : i18n._(text));
  const { action } = item;
  return (
    <div
      className={cx(
        styles.toast,
        styles[item.kind],
        (action || item.persistent) && styles.pressable,
      )}
    >
      <ToastIcon kind={item.kind} />
      <span className={styles.text}>
        {item.text ? translate(item.text) : t({ id: 'in_please_wait', message: 'Please wait' })}
      </span>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            toast.hide(item.id);
            action.onPress();
          }}
        >
          {translate(action.label)}
        </button>
      )}
      {item.persistent && (
        <IconButton
          icon="x"
          iconSize={16}
          label={t`Close`}
          onPress={() => toast.hide(item.id)}
          className={styles.close}
        />
      )}
    </div>
  );
}

function ToastIcon({ kind }: { kind: ToastItem['kind'] }) {
  if (kind === 'plain') return null;
  return (
    <span className={styles.mark}>
      {kind === 'loading' ? <Spinner /> : null}
      {kind === 'success' ? <Icon name="check-bold" size={14} /> : null}
      {kind === 'error' ? <Icon name="x-bold" size={14} /> : null}
    </span>
  );
}
