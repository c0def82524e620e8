import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';

import { cx } from '../lib/cx.ts';
import { Icon } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './ErrorRetry.module.css';

export type ErrorRetryProps = {
  /** Something else than that loading failed. */
  title?: string | undefined;
  /** Loads again. While the promise it returns is open the row is busy. */
  onRetry: () => unknown;
  /** What failed, in the member's words; or how far loading had come. */
  detail?: string | undefined;
  /** The server did answer: it is not the network that failed. */
  answered?: boolean | undefined;
  className?: string | undefined;
};

/** Says that loading failed; the whole row loads again. */
export function ErrorRetry({ title, onRetry, detail, answered, className }: ErrorRetryProps) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const alive = useRef(true);

  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  async function retry(): Promise<void> {
    setBusy(true);
    try {
      await onRetry();
    } catch {
      // The row is still here, and says so.
    } finally {
      if (alive.current) setBusy(false);
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
        <span className={styles.again}>
          {busy ? <Spinner size={20} /> : <Icon name="arrow-clockwise" size={20} />}
        </span>
      </button>
    </div>
  );
}
