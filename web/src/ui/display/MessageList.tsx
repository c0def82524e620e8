import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { ErrorRetry } from '../ErrorRetry.tsx';
import { Spinner } from '../Spinner.tsx';

import styles from './MessageList.module.css';

export type MessageListProps<M> = {
  label: string;
  /** Oldest first. */
  messages: readonly M[];
  keyOf: (message: M) => string;
  renderMessage: (message: M) => ReactNode;
  hasOlder: boolean;
  loadingOlder: boolean;
  failedOlder: boolean;
  loadOlder: () => unknown;
  /** Below the newest message, such as a typing indicator. */
  footer?: ReactNode;
  className?: string | undefined;
};

/** Distance from the top that loads older messages. */
const loadAtPx = 200;

/** A conversation that loads older messages on scrolling up. The reversed column keeps the scroll position when they arrive. */
export function MessageList<M>(props: MessageListProps<M>) {
  const { label, messages, keyOf, renderMessage, footer, className } = props;
  const { hasOlder, loadingOlder, failedOlder, loadOlder } = props;
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const latest = useRef(loadOlder);

  useEffect(() => {
    latest.current = loadOlder;
  }, [loadOlder]);

  useEffect(() => {
    const [root, target] = [scroller.current, top.current];
    if (!root || !target || !hasOlder || loadingOlder || failedOlder) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting) latest.current();
      },
      { root, rootMargin: `${loadAtPx}px 0px 0px` },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [hasOlder, loadingOlder, failedOlder]);

  return (
    <div
      ref={scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard scrolling needs the focus
      tabIndex={0}
      role="log"
      aria-label={label}
      className={cx(styles.scroller, className)}
    >
      <div className={styles.messages}>
        <div ref={top} />
        {loadingOlder && (
          <div role="status" aria-label={t`Loading`} className={styles.loading}>
            <Spinner size={20} />
          </div>
        )}
        {failedOlder && <ErrorRetry onRetry={loadOlder} />}
        {messages.map((message) => (
          <div key={keyOf(message)}>{renderMessage(message)}</div>
        ))}
        {footer}
      </div>
    </div>
  );
}
