import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './ErrorRetry.module.css';

export type ErrorRetryProps = {
  title?: string | undefined;
  /** The row is busy until the returned promise settles. */
  onRetry: () => unknown;
  /** The reason, or how much was loaded. */
  detail?: string | undefined;
  /** The server responded, so the network is not the cause. */
  answered?: boolean | undefined;
  className?: string | undefined;
};

/** Reports a failed load. The whole row is the retry button. */
export function ErrorRetry({ title, onRetry, detail, answered, className }: ErrorRetryProps) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const mounted = useRef(true);

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  async function retry(): Promise<void> {
    setBusy(true);
    try {
      await onRetry();
    } catch {
      // The row stays and can be pressed again.
    } finally {
      if (mounted.current) setBusy(false);
    }
  }

  return (
    <div role="alert" className={cx(styles.error, className)}>
      <button
        type="button"
        className={styles.row}
        aria-busy={busy || undefined}
        onClick={busy ? undefined : () => void retry()}
      >
        <Icon
          name={title || answered ? 'warning-circle-fill' : 'wifi-slash'}
          className={styles.icon}
        />
        <span className={styles.text}>
          <span className={styles.title}>{title ?? t`Load failed, tap to retry`}</span>
          {detail && <span className={styles.detail}>{detail}</span>}
        </span>
        <span className={styles.retryIcon}>
          {busy ? <Spinner size={20} /> : <Icon name="arrow-clockwise" size={20} />}
        </span>
      </button>
    </div>
  );
}
