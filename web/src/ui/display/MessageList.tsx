import { useLayoutEffect, useRef, type ReactNode } from 'react';

import { cx } from '../../lib/cx.ts';
import { Button } from '../Button.tsx';

import styles from './MessageList.module.css';

export type MessageListProps = {
  label: string;
  /** List items, oldest first. */
  children: ReactNode;
  /** Identifies what was added last. When it changes, the list scrolls to its end. */
  newest: string | number;
  /** Loads older messages. Absent if there are none. */
  older?: { label: string; isLoading: boolean; onLoad: () => void } | undefined;
  before?: ReactNode;
  /** Below the newest message, such as a typing indicator. */
  after?: ReactNode;
  className?: string | undefined;
  listClass?: string | undefined;
};

/** A conversation that starts at its end. The reversed column keeps the scroll position when older messages arrive. */
export function MessageList(props: MessageListProps) {
  const { label, children, newest, older, before, after, className, listClass } = props;
  const scroller = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    // In a reversed column the end is at 0.
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [newest]);

  return (
    <div
      ref={scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard scrolling needs the focus
      tabIndex={0}
      role="group"
      aria-label={label}
      className={cx(styles.scroller, className)}
    >
      <div className={styles.content}>
        {before}
        {older && (
          <Button variant="secondary" size="sm" busy={older.isLoading} onPress={older.onLoad}>
            {older.label}
          </Button>
        )}
        <ol aria-label={label} aria-live="polite" className={cx(styles.messages, listClass)}>
          {children}
        </ol>
        {after}
      </div>
    </div>
  );
}
